/** Rows of trackings are assembled from the stored JSON of their events without parsing it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { decoded, encode, eventTypes } from '../../../src/events/core/codec.js';
import { eventType } from '../../../src/events/core/event-types.js';
import type { JsonObject, StoredEvent } from '../../../src/events/core/log.js';
import {
  instantOfScan,
  TrackingEventRecorded,
  TrackingEventRetracted,
  TrackingOpened,
  type RecordedScan,
} from '../../../src/events/trackings/events.js';
import { trackingOf } from '../../../src/projections/trackings/fold.js';
import { fixedKeys } from '../../support/worlds/recording.js';
import { runs } from '../../support/depth.js';

/** Texts that look like a member in JSON. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('"instant":"1999', '","instant":"1999","x":"', '\\","instant":"1999', '\\', '},', '],[', '\n'),
);
const instant = fc
  .date({ noInvalidDate: true, min: new Date('2020-01-01'), max: new Date('2030-01-01') })
  .map((date) => date.toISOString().replace('Z', '000000Z'));
const scan: fc.Arbitrary<RecordedScan> = fc.record(
  {
    event_id: text,
    provider: text,
    otep_version: text,
    occurred_at: text,
    instant,
    status_code: text,
    description: text,
    fingerprint: text,
    location: fc.record({ name: text, public_name: text, code: text, city: text }, { requiredKeys: [] }),
    source: fc.record({ name: text, ref: text }, { requiredKeys: [] }),
    raw: fc.record({ code: text, text }, { requiredKeys: [] }),
    extensions: fc.dictionary(
      fc.oneof(text, fc.constant('instant')),
      fc.oneof(fc.jsonValue() as fc.Arbitrary<unknown>, fc.constant({ instant: '1999' })),
    ),
  },
  { requiredKeys: ['event_id', 'provider', 'otep_version', 'occurred_at', 'instant', 'status_code'] },
);

const OPENED = {
  owner: { kind: 'provider', id: 'demo-carrier' },
  number: 'N1',
  generation: 0,
  profile: 'parcel',
  subject: { tracking_number: 'N1' },
} as const;
const id = '554f1293-18f2-5c8a-82e3-65a5642f7197';

/** Events with their JSON, as a log returns them. */
async function stored(scans: readonly RecordedScan[]): Promise<(StoredEvent & { json: string })[]> {
  const retraction = {
    event_id: 'r',
    provider: 'demo-carrier',
    retracts: scans[0]!.event_id,
    occurred_at: '2026-01-01T00:00:00Z',
  };
  const facts = [
    { id, type: TrackingOpened, data: OPENED },
    ...scans.map((data) => ({ id, type: TrackingEventRecorded, data, subject: id })),
    { id, type: TrackingEventRetracted, data: retraction, subject: id },
  ];
  const metadata = { recorded_at: '2026-07-01T00:00:00.000Z' };
  const encoded = await encode(
    facts.map((fact) => ({ fact, metadata })),
    fixedKeys(),
  );
  return encoded.map((event, revision) => ({
    ...event,
    data: JSON.parse(event.json) as JsonObject,
    stream: `tracking-${id}`,
    revision,
    position: String(revision),
  }));
}

describe('rows of trackings', () => {
  it('contain any content of the events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scan, { minLength: 1, maxLength: 5 }), async (scans) => {
        const events = await stored(scans);
        const row = trackingOf(events);
        expect(row).to.deep.equal(trackingOf(events.map(({ json: _json, ...event }) => event)));
        expect(row.scans).to.deep.equal(
          events
            .slice(1, -1)
            .map(({ revision, position, data }) => ({
              id,
              revision,
              position,
              recorded_at: '2026-07-01T00:00:00.000Z',
              ...data,
            })),
        );
        expect(row.retractions.map(({ retracts }) => retracts)).to.deep.equal([scans[0]!.event_id]);
        expect(row.last_active).to.equal(
          scans
            .map((one) => one.instant)
            .sort()
            .at(-1),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('have their instants from unparsed JSON', async () => {
    const [, recorded] = await stored([
      {
        event_id: 'e',
        provider: 'p',
        otep_version: '0.1',
        occurred_at: 'then',
        instant: '2026-01-01T00:00:00.000000000Z',
        status_code: 'delivered',
      },
    ]);
    const unparsed = {
      json: recorded!.json,
      get data(): JsonObject {
        throw new Error('parsed');
      },
    };
    expect(instantOfScan(unparsed)).to.equal('2026-01-01T00:00:00.000000000Z');
  });

  it('have the current data, not the JSON of the time', () => {
    const ExampleEvent = eventType('Told', z.object({ number: z.string() }), {
      version: 2,
      upcast: { 1: (data) => ({ ...data, number: 'new' }) },
    });
    const event = {
      id,
      type: 'Told',
      version: 1,
      data: { number: 'old' },
      json: '{"number":"old"}',
      metadata: {},
      stream: 's',
      revision: 0,
      position: '1',
    };
    const today = decoded(event, eventTypes([ExampleEvent as never]));
    expect(today.data).to.deep.equal({ number: 'new' });
    expect(today.json).to.equal(undefined);
    const same = { ...event, version: 2 };
    expect(decoded(same, eventTypes([ExampleEvent as never]))).to.equal(same);
  });
});
