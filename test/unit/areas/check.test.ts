/**
 * Incomplete or wrongly named parts of an area are reported before the service starts, each with the change to make.
 */
import { expect } from 'chai';
import { z } from 'zod';
import { operation } from '../../../src/api/core/operation.js';
import { toolsOf } from '../../../src/api/mcp/tool.js';
import { area, type AreaDefinition } from '../../../src/areas/area.js';
import { checkAreas, checkOperations } from '../../../src/areas/check.js';
import { AREAS } from '../../../src/areas/index.js';
import { eventType, personal, type EventType } from '../../../src/events/core/event-types.js';
import { allSequences, sequence } from '../../../src/projections/core/sequence.js';

const type = (name: string, schema = z.object({})) => eventType(name, schema) as unknown as EventType;
const streams = (prefix: string, ...events: EventType[]) => ({ prefix, events, tenant: 'business' as const });
/** Checks all existing areas and one more. */
const withArea = (definition: Partial<AreaDefinition<undefined>>) => () =>
  checkAreas([...AREAS, area({ name: 'parcels', ...definition })]);

const read = operation({
  name: 'parcelList',
  area: 'Parcels',
  summary: 'Parcels.',
  rest: { method: 'get', path: '/v1/parcels' },
  callers: ['client_admin'],
  reads: ['routes'],
  input: z.object({}),
  output: z.object({}),
  run: () => Promise.resolve({}),
});

describe('checks of areas', () => {
  it('accept all existing areas', () => expect(() => checkAreas(AREAS)).to.not.throw());

  it('reject an event type that already exists', () =>
    expect(withArea({ streams: [streams('parcel-', type('RouteCreated'))] })).to.throw(
      'The event type RouteCreated is used twice, by routes and parcels: rename one of them in src/events/<area>/events.ts.',
    ));

  it('reject a stream prefix that already exists or is not one word', () => {
    expect(withArea({ streams: [streams('route-')] })).to.throw('The stream prefix route- is used twice');
    expect(withArea({ streams: [streams('parcel-box-')] })).to.throw(
      'must be one word and a hyphen, as in route-: change `prefix` in src/areas/parcels.ts.',
    );
  });

  it('reject streams without a tenant', () =>
    expect(withArea({ streams: [{ ...streams('parcel-'), tenant: undefined as never }] })).to.throw(
      'have no tenant: add `tenant` to these streams in src/areas/parcels.ts',
    ));

  it('reject a personal member that no erasure covers', () => {
    const named = type('ParcelNamed', z.object({ name: personal(z.string()) }));
    expect(withArea({ streams: [streams('parcel-', named)] })).to.throw(
      'ParcelNamed of the area parcels has personal members that no erasure reaches: add `erasure` to the streams parcel- in src/areas/parcels.ts',
    );
    expect(withArea({ streams: [{ ...streams('parcel-', named), erasure: 'own' }] })).to.not.throw();
  });

  it('reject timers without an `expires` handler', () => {
    const due = eventType('ParcelPromised', z.object({ by: z.string() }), {
      timers: ({ by }) => ({ set: { name: 'promise', at: by } }),
    }) as unknown as EventType;
    expect(withArea({ streams: [streams('parcel-', due)] })).to.throw(
      'set timers: add it to these streams in src/areas/parcels.ts',
    );
    const streamOptions = { ...streams('parcel-', due), expires: () => () => Promise.reject(new Error()) };
    expect(withArea({ streams: [streamOptions] })).to.not.throw();
    expect(withArea({ streams: [{ ...streamOptions, events: [] }] })).to.throw(
      'remove it from these streams in src/areas/parcels.ts',
    );
  });

  it('reject a sequence that no area registers, or that is defined twice', () => {
    expect(() => sequence('routes', { readModel: 'routes', table: 'routes.routes' })).to.throw('is defined twice');
    const without = AREAS.map((one) => (one.name === 'routes' ? { ...one, sequences: [] } : one));
    expect(() => checkAreas(without)).to.throw('The sequence routes is of no area');
    expect(allSequences().map(({ name }) => name)).to.include('addresses');
  });

  it('reject a read model that no area registers', () => {
    expect(() => checkOperations([read], ['routes'])).to.not.throw();
    expect(() => checkOperations([read], ['orders'])).to.throw('waits for the read model routes, which no area');
    expect(() => checkOperations([read, read], ['routes'])).to.throw('The operation parcelList is used twice');
    // @ts-expect-error A name that no read model has does not compile.
    void ({ ...read, reads: ['adresses'] } satisfies typeof read);
  });

  it('reject a tool that names an unknown operation', () => {
    const tool = { name: 'get_parcels', title: 'Parcels', description: 'Parcels.', category: 'orders' as const };
    expect(() => toolsOf([{ ...tool, operation: 'parcelLists' }], [read])).to.throw(
      'The tool get_parcels names the operation parcelLists, which does not exist.',
    );
  });
});
