/**
 * Generated timelines: all codes, missing members, Unicode, distant time zones, fractions of a second, late arrivals,
 * retractions.
 */
import fc from 'fast-check';
import { INCIDENT_REASONS } from '../../../src/events/otep/reasons.js';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { derivedId, journeyOf } from '../../../src/events/otep/identity.js';
import {
  OTEP_VERSION,
  PROOF_KINDS,
  SOURCE_TYPES,
  type Journey,
  type Location,
  type Source,
  type Subject,
} from '../../../src/events/otep/model.js';
import { instantAt, instantOf } from '../../../src/events/otep/time.js';
import { deriveTimeline, type Scan } from '../../../src/events/otep/timeline.js';

/** Later than every generated event, so that none lies in the future. */
export const NOW = instantAt(Date.UTC(2026, 10, 1));

const text = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength })
    .filter((value) => value.trim() === value && !value.includes('\u0000') && value.isWellFormed());

const offsets = ['Z', '+00:00', '-00:00', '+05:45', '+14:00', '-12:00', '-03:30', '+13:00'];

/** RFC 3339, within four weeks: all scans of a number then belong to one life. */
export const time = fc
  .record({
    millis: fc.integer({ min: Date.UTC(2026, 5, 1), max: Date.UTC(2026, 5, 28) }),
    fraction: fc.constantFrom('', '.5', '.123', '.123456', '.000000001', '.9999'),
    offset: fc.constantFrom(...offsets),
  })
  .map(({ millis, fraction, offset }) => `${new Date(millis).toISOString().slice(0, 19)}${fraction}${offset}`);

export const location: fc.Arbitrary<Location> = fc
  .record(
    {
      name: text(30),
      code: fc.constantFrom('DEHAM', 'GBLON', '4012345000009', 'HUB-7'),
      city: text(20),
      region: fc.constantFrom('HH', 'CA', '東京都'),
      postal_code: fc.constantFrom('20095', 'EC1A 1BB'),
      country: fc.constantFrom('DE', 'GB', 'US', 'JP', 'FJ'),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((n) => n + 0),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((n) => n + 0),
    },
    { requiredKeys: [] },
  )
  .map((place) =>
    place.latitude === undefined || place.longitude === undefined ? omit(place, 'latitude', 'longitude') : place,
  );

const source: fc.Arbitrary<Source> = fc.record(
  {
    type: fc.constantFrom(...SOURCE_TYPES),
    name: text(20),
    provider: fc.constantFrom('demo-carrier', 'acme'),
    ref: fc.constantFrom('synthesized', 'scan-9'),
    recorded_at: time,
  },
  { requiredKeys: ['type'] },
);

/** One recorded scan; `code` fixes the status. `uniqueScans` makes event ids unique within a list. */
export const scan = (
  code: fc.Arbitrary<string> = fc.constantFrom(...STATUS_CODES.map((row) => row.code), 'x-customs_hold', 'x-paused'),
): fc.Arbitrary<Scan> =>
  fc
    .record(
      {
        event_id: fc.oneof(
          fc.uuid(),
          fc.integer({ min: 1 }).map((n) => `https://carrier.example/events/${n}`),
        ),
        occurred_at: time,
        status_code: code,
        location,
        source,
        incident_reason: fc.record(
          { code: fc.constantFrom(...INCIDENT_REASONS.map((row) => row.code)), text: text(40) },
          { requiredKeys: ['code'] },
        ),
        description: text(60),
        raw: fc.record({ code: fc.constantFrom('DL', 'OD', '003'), text: text(40) }, { requiredKeys: [] }),
        phase: fc.constantFrom('transit' as const, 'exception' as const),
        'x-temperature': fc.record({ celsius: fc.integer({ min: -30, max: 60 }) }),
      },
      { requiredKeys: ['event_id', 'occurred_at', 'status_code'] },
    )
    .chain((event) =>
      fc
        .record({ kind: fc.constantFrom(...PROOF_KINDS), url: fc.webUrl() }, { requiredKeys: ['kind'] })
        .map((proof) => (['picked_up', 'delivered'].includes(event.status_code) ? { ...event, proof } : event)),
    )
    .map(({ phase, ...event }) => ({
      instant: instantOf(event.occurred_at)!,
      event: {
        otep_version: OTEP_VERSION,
        ...event,
        ...(event.status_code.startsWith('x-') && phase !== undefined && { phase }),
        recorded_at: new Date(Date.UTC(2026, 6, 1)).toISOString(),
      },
    }));

export const uniqueScans = (options: { minLength?: number; maxLength?: number } = {}) =>
  fc.uniqueArray(scan(), { minLength: 0, maxLength: 12, ...options, selector: ({ event }) => event.event_id });

/** A valid SSCC: 17 digits and the GS1 check digit. */
export const sscc = fc.stringMatching(/^[0-9]{17}$/).map((digits) => {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return digits + String((10 - (sum % 10)) % 10);
});

export const subject: fc.Arbitrary<Subject> = fc.record(
  {
    tracking_number: fc.stringMatching(/^[A-Z0-9]{8,20}$/),
    gs1_sscc: sscc,
    order_id: fc.nat().map(String),
    package_id: fc.nat().map(String),
    piece_id: fc.uuid().map((id) => `urn:uuid:${id}`),
  },
  { requiredKeys: ['tracking_number'] },
);

/** Journeys in the owner's view: with personal data and with retracted events. */
export const journey = (options: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<Journey> =>
  fc
    .record({ subject, scans: uniqueScans(options), retract: fc.array(fc.boolean(), { maxLength: 3 }) })
    .map(({ subject, scans, retract }) => {
      const taken = scans.filter((_, index) => retract[index]);
      const timeline = deriveTimeline(
        subject,
        scans.filter((one) => !taken.includes(one)),
        NOW,
      );
      const retracted = taken.map((one) => ({
        event: deriveTimeline(subject, [one], NOW).events[0]!,
        retracted_at: '2026-07-02T00:00:00.000Z',
      }));
      return {
        ...journeyOf(timeline, retracted),
        uuidOf: (event) => derivedId('test', event.event_id),
        revision: scans.length,
        carrier: 'demo-carrier',
      };
    });

function omit<T extends object, K extends keyof T>(value: T, ...keys: K[]): Omit<T, K> {
  const rest = { ...value };
  for (const key of keys) delete rest[key];
  return rest;
}
