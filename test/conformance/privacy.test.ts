/** Content that the public view of a tracking must never show, in any format (B2). */
import { expect } from 'chai';
import fc from 'fast-check';
import { readEvent } from '../../src/events/otep/check/event.js';
import { readSubject } from '../../src/events/otep/check/subject.js';
import { derivedId } from '../../src/events/otep/identity.js';
import { PROFILE, PROOF_KINDS, type Journey, type Subject } from '../../src/events/otep/model.js';
import { journeyOfRow, type View } from '../../src/projections/trackings/journeys.js';
import type { TrackingRow } from '../../src/projections/trackings/row.js';
import type { Format } from '../../src/serializers/format.js';
import { FORMATS } from '../../src/serializers/index.js';
import { fixedKeys, record } from '../support/worlds/recording.js';
import { NOW, sscc, time } from '../support/inputs/timelines.js';
import { runs } from '../support/depth.js';

const CONTEXT = { baseUrl: 'https://tms.example' };
const PUBLIC: View = { kind: 'public' };
const ERASED: View = { kind: 'full', keys: new Map() };

/** Unique texts, so that any occurrence of one is a leak. */
const marker = (what: string, index: number): string => `SECRET-${what}-${index}`;

interface Marked {
  readonly subject: Subject;
  readonly events: readonly Record<string, unknown>[];
  /** Encrypted values; they disappear with the key. */
  readonly sealed: readonly string[];
  /** Values that only the owner sees, and that are not encrypted. */
  readonly owned: readonly string[];
}

/** Coordinates whose digits beyond the second decimal are the marker. */
const latitude = (index: number) => Number(`53.550${1_000 + index}77`);
const longitude = (index: number) => Number(`9.990${1_000 + index}33`);

const step = fc.record({
  occurred_at: time,
  kind: fc.constantFrom('driver', 'self_delivery'),
  status_code: fc.constantFrom('delivered', 'picked_up', 'delivery_failed', 'out_for_delivery'),
  proof: fc.constantFrom(...PROOF_KINDS),
});

const marked: fc.Arbitrary<Marked> = fc
  .record({
    steps: fc.array(step, { minLength: 1, maxLength: 5 }),
    ids: fc.record({ tracking_number: fc.constant('JD014600001'), gs1_sscc: sscc }, { requiredKeys: [] }),
    retract: fc.boolean(),
  })
  .map(({ steps, ids, retract }) => {
    const events = steps.map(({ occurred_at, kind, status_code, proof }, index) => ({
      event_id: derivedId('marked', index),
      occurred_at,
      status_code,
      location: {
        name: marker('place', index),
        city: 'Hamburg',
        country: 'DE',
        latitude: latitude(index),
        longitude: longitude(index),
      },
      source: { type: kind, name: marker('person', index), provider: 'demo-carrier' },
      incident_reason: { code: 'recipient_absent', text: marker('reason', index) },
      description: marker('description', index),
      raw: { code: 'DL', text: marker('raw', index) },
      ...(status_code === 'delivered' || status_code === 'picked_up'
        ? { proof: { kind: proof, url: `https://carrier.example/${marker('proof', index)}` } }
        : {}),
      'x-note': { text: marker('extension', index) },
    }));
    const sealed = steps.flatMap(({ status_code }, index) => [
      ...['place', 'person', 'reason', 'description', 'raw', 'extension'].map((what) => marker(what, index)),
      ...(status_code === 'delivered' || status_code === 'picked_up' ? [marker('proof', index)] : []),
      String(latitude(index)),
      String(longitude(index)),
    ]);
    const takenBack = retract
      ? [
          {
            event_id: derivedId('marked', 'retraction'),
            retracts: derivedId('marked', 0),
            occurred_at: steps[0]!.occurred_at,
            'x-why': marker('why', 0),
          },
        ]
      : [];
    return {
      subject: { ...ids, order_id: marker('order', 0), package_id: marker('package', 0) },
      events: [...events, ...takenBack],
      sealed: [...sealed, ...(retract ? [marker('why', 0)] : [])],
      owned: [marker('order', 0), marker('package', 0)],
    };
  });

async function rowOf({ subject, events }: Marked): Promise<TrackingRow> {
  const checked = readSubject(subject, { path: '/subject' }).subject!;
  return record(
    checked,
    events.map((event, index) => {
      const reading = readEvent(event, { path: `/events/${index}`, now: NOW, profile: PROFILE });
      if (!reading.event) throw new Error(JSON.stringify(reading.errors));
      return reading.event;
    }),
  );
}

/** All output of a format for a journey: the document, its variants, its list of events. */
const bytesOf = ({ serialize, variants = [], events }: Format, journey: Journey): string =>
  JSON.stringify([
    serialize(journey, CONTEXT),
    ...variants.map((variant) => variant.serialize(journey, CONTEXT)),
    events?.(journey, CONTEXT),
  ]);

const found = (bytes: string, texts: readonly string[]): string[] => texts.filter((text) => bytes.includes(text));

describe('privacy of the formats', () => {
  it('the public view shows no personal data, the owner sees all of it, and data of an erased person is gone, for any push', async () => {
    await fc.assert(
      fc.asyncProperty(marked, async (given) => {
        const row = await rowOf(given);
        const full: View = { kind: 'full', keys: await fixedKeys().existing([row.id]) };
        const [native] = FORMATS as [Format];
        expect(found(bytesOf(native, journeyOfRow(row, full, NOW)), [...given.sealed, ...given.owned])).to.deep.equal([
          ...given.sealed,
          ...given.owned,
        ]);
        const [shown, erased] = [journeyOfRow(row, PUBLIC, NOW), journeyOfRow(row, ERASED, NOW)];
        for (const format of FORMATS) {
          const open = bytesOf(format, shown);
          expect(open, format.name).not.to.include('SECRET');
          expect(found(open, given.sealed), format.name).to.deep.equal([]);
          expect(found(bytesOf(format, erased), given.sealed), `${format.name} after erasure`).to.deep.equal([]);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('names a parcel with only order and package ids by its tracking, always in the same way', async () => {
    const row = await rowOf({
      subject: { order_id: 'SECRET-order', package_id: 'SECRET-package' },
      events: [{ occurred_at: '2026-01-02T08:00:00Z', status_code: 'picked_up' }],
      sealed: [],
      owned: [],
    });
    const { subject } = journeyOfRow(row, PUBLIC, NOW).timeline;
    expect(subject).to.deep.equal({ piece_id: `urn:uuid:${row.id}` });
    expect(readSubject(subject, { path: '' }).errors).to.deep.equal([]);
    for (const format of FORMATS) {
      const open = bytesOf(format, journeyOfRow(row, PUBLIC, NOW));
      expect(open, format.name).not.to.include('SECRET');
    }
    const epcis = FORMATS.find(({ name }) => name === 'epcis')!;
    expect(JSON.stringify(epcis.events!(journeyOfRow(row, PUBLIC, NOW), CONTEXT))).to.include(
      `"epcList":["urn:uuid:${row.id}"]`,
    );
  });
});
