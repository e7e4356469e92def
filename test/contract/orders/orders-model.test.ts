/**
 * Random commands to orders: the responses, the read model and its rebuild against a plain model (C5 for orders, G4).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../src/commands/core/domain-error.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { orderStream, orderStatusId, type OrderStatus } from '../../../src/events/orders/events.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { instantAt } from '../../../src/events/otep/time.js';
import { orders as projection } from '../../../src/projections/orders/read-model.js';
import type { Projection } from '../../../src/projections/core/projection.js';
import { CAUSE, openTestCore, type TestCore } from '../../support/worlds/test-core.js';
import { act, MODEL_SCANS, type ModelOrder } from '../../support/models/orders.js';
import { SEED } from '../../support/worlds/seed.js';

const ORDERS = 12;
const COMMANDS = 600;
const START = Date.parse('2026-01-01T00:00:00Z');

describe('orders against a model', () => {
  let core: TestCore;
  before(async () => {
    core = await openTestCore();
    core.run();
  });
  after(() => core.close());

  const id = fc.integer({ min: 1, max: ORDERS });
  const brokerId = fc.integer({ min: 20, max: 21 });
  const routeId = fc.integer({ min: 3, max: 4 });
  const provider = fc.constantFrom('acme', 'other');
  const commandArbitrary = fc.oneof(
    fc.record({ do: fc.constantFrom('hold', 'release', 'revoke_assignment') }),
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel'), chance: fc.integer({ min: 0, max: 9 }) }) },
    fc.record({ do: fc.constant('put_on_route'), routeId, brokerId: fc.option(brokerId, { nil: undefined }) }),
    fc.record({ do: fc.constant('take_off_route'), routeId }),
    fc.record({ do: fc.constant('assign'), brokerId, assignmentId: fc.integer({ min: 100, max: 999_999 }) }),
    fc.record({ do: fc.constant('release_assignment'), brokerId }),
    fc.record({ do: fc.constantFrom('give_to_third_party', 'take_from_third_party'), provider }),
    fc.record({ do: fc.constant('scan'), status_code: fc.constantFrom(...MODEL_SCANS) }),
  );

  it(`${COMMANDS} commands: every response, every row, and the same rows after a rebuild`, async () => {
    const commands = fc.sample(fc.tuple(id, commandArbitrary), COMMANDS);
    const model = new Map<number, ModelOrder>();
    let at = 0;
    const run = (orderId: number, members: object): OrderCommand =>
      ({ commandId: derivedId('model', SEED, ++at), orderId, business: 1, by: 5, ...members }) as OrderCommand;
    for (let orderId = 1; orderId <= ORDERS; orderId++) {
      const self = orderId % 4 !== 0;
      await core.commands.orders(
        orderStream(orderId),
        run(orderId, {
          do: 'create',
          order: {
            type: 'D',
            self_delivery: self,
            delivery: { name: 'Ada', city: 'Toronto' },
            packages: [{ tracking_number: `M${orderId}` }],
            time_windows: [],
          },
        }),
        CAUSE,
      );
      model.set(orderId, { status: 'NEW_ORDER', route: null, before: 'NEW_ORDER', broker: null, carrier: null, self });
    }
    let accepted = 0;
    for (const [orderId, members] of commands) {
      // Most cancellations and terminal statuses are skipped, because all orders would otherwise end soon.
      if ('chance' in members && members.chance > 0) continue;
      const occurred = START + ++at * 1_000;
      const command = run(
        orderId,
        'status_code' in members
          ? {
              ...members,
              tracking_number: `M${orderId}`,
              occurred_at: new Date(occurred).toISOString(),
              instant: instantAt(occurred),
            }
          : members,
      );
      const may = act(model.get(orderId)!, command);
      const did = await core.commands.orders(orderStream(orderId), command, CAUSE).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
          return false;
        },
      );
      expect(did, `SEED=${SEED}: ${JSON.stringify(command)}`).to.equal(may);
      if (did) accepted++;
    }
    expect(accepted).to.be.greaterThan(20);
    await core.caughtUp();
    const { rows } = await core.engines.pool.query(
      'select id, status, status_id, route_id, broker_id, third_party from orders.orders order by id',
    );
    expect(rows, `SEED=${SEED}`).to.deep.equal(
      [...model].map(([orderId, { status, route, broker, carrier }]) => ({
        id: orderId,
        status,
        status_id: orderStatusId(status as OrderStatus),
        route_id: route,
        broker_id: broker,
        third_party: carrier,
      })),
    );
    const { found, differences, quarantined } = await core.replay(projection as unknown as Projection, false, 37);
    expect({ found, differences, quarantined }).to.deep.equal({ found: [], differences: 0, quarantined: [] });
  });
});
