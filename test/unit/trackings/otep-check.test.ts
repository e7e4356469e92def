/** One case for every finding: the document, the code and the path. */
import { expect } from 'chai';
import { checkDocument } from '../../../src/events/otep/check/document.js';
import { FINDINGS, type FindingCode } from '../../../src/events/otep/check/findings.js';
import { instantOf } from '../../../src/events/otep/time.js';

const NOW = instantOf('2026-06-01T12:00:00Z')!;

type Members = Record<string, unknown>;
const event = (members: Members = {}): Members => ({
  occurred_at: '2026-01-01T08:00:00Z',
  status_code: 'in_transit',
  source: { type: 'carrier' },
  ...members,
});
const at = (hour: number, status_code: string, members: Members = {}): Members =>
  event({ occurred_at: `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`, status_code, ...members });
const timeline = (events: readonly unknown[], members: Members = {}): Members => ({
  otep_version: '0.1',
  profile: 'parcel',
  subject: { tracking_number: 'AB123' },
  events,
  ...members,
});
const of = (members: Members): Members => timeline([event(members)]);
const about = (subject: unknown): Members => timeline([event()], { subject });
const [ID, OTHER] = ['urn:example:1', 'urn:example:2'];

const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)]);
const many = (count: number, value: unknown): Members =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value]));
const journeyEnd = [at(8, 'in_transit'), at(9, 'delivered')];

const CASES: readonly (readonly [code: FindingCode, path: string, document: unknown])[] = [
  ['REQUIRED', '/subject', { otep_version: '0.1', events: [] }],
  ['REQUIRED', '/events', { otep_version: '0.1', subject: { tracking_number: 'A' } }],
  ['REQUIRED', '/subject', event({ otep_version: '0.1' })],
  ['REQUIRED', '/events/0/occurred_at', of({ occurred_at: undefined })],
  ['REQUIRED', '/events/0/status_code', of({ status_code: undefined })],
  ['REQUIRED', '/events/0/status_code', of({ status_code: undefined, retracts: ID, phase: 'transit' })],
  ['REQUIRED', '/events/0/incident_reason/code', of({ incident_reason: { text: 'rain' } })],
  ['REQUIRED', '/events/0/proof/kind', of({ status_code: 'delivered', proof: {} })],
  ['REQUIRED', '/retracted/0/retracted_at', timeline([], { retracted: [{ event: event() }] })],
  [
    'REQUIRED',
    '/retracted/0/event/status_code',
    timeline([], {
      retracted: [{ event: event({ status_code: undefined, retracts: ID }), retracted_at: '2026-01-01T08:00:00Z' }],
    }),
  ],
  ['INVALID_TYPE', '', 'delivered'],
  ['INVALID_TYPE', '', [event()]],
  ['INVALID_TYPE', '/events', timeline([], { events: {} })],
  ['INVALID_TYPE', '/events/1', timeline([event(), null])],
  ['INVALID_TYPE', '/events/0/location', of({ location: null })],
  ['INVALID_TYPE', '/events/0/location/latitude', of({ location: { latitude: '53', longitude: 10 } })],
  ['INVALID_TYPE', '/delivered', timeline([], { delivered: null })],
  ['INVALID_VALUE', '/events/0/source/type', of({ source: { type: 'bird' } })],
  ['INVALID_VALUE', '/events/0/phase', of({ status_code: 'x-new', phase: 'flying' })],
  ['INVALID_TEXT', '/events/0/description', of({ description: 'a\u0000b' })],
  ['INVALID_TEXT', '/events/0/description', of({ description: '\ud800' })],
  ['INVALID_TEXT', '/events/0/x-a/0/b~01', of({ 'x-a': [{ 'b~1': '\udfff' }] })],
  ['INVALID_TEXT', '/events/0/x-\uFFFD', of({ 'x-\ud800': 1 })],
  ['INVALID_TEXT', '/events/0/dropped/0', of({ dropped: ['\u0000'] })],
  ['INVALID_NUMBER', '/events/0/x-mass', of({ 'x-mass': JSON.parse('1e400') as unknown })],
  ['TOO_LONG', '/events/0/description', of({ description: 'a'.repeat(1001) })],
  ['TOO_LONG', '/events/0/location/name', of({ location: { name: 'a'.repeat(201) } })],
  ['TOO_LONG', `/events/0/x-${'a'.repeat(63)}`, of({ [`x-${'a'.repeat(63)}`]: 1 })],
  ['TOO_SMALL', '/events/0/location/latitude', of({ location: { latitude: -90.01, longitude: 0 } })],
  ['TOO_BIG', '/events/0/location/longitude', of({ location: { latitude: 0, longitude: 180.5 } })],
  ['TOO_DEEP', `/events/0/x-deep${'/0'.repeat(16)}`, of({ 'x-deep': nested(17) })],
  ['TOO_MANY_EXTENSIONS', '/events/0', of(many(33, 1))],
  ['EXTENSIONS_TOO_LARGE', '/events/0', of(many(3, 'ä'.repeat(11_000)))],
  ['NO_IDENTIFIER', '/subject', about({})],
  ['INVALID_TRACKING_NUMBER', '/subject/tracking_number', about({ tracking_number: ' - ' })],
  ['INVALID_TRACKING_NUMBER', '/subject/tracking_number', about({ tracking_number: 'A'.repeat(65) })],
  ['INVALID_TRACKING_NUMBER', '/subject/tracking_number', about({ tracking_number: 'ıß1234' })],
  ['INVALID_TRACKING_NUMBER', '/subject/tracking_number', about({ tracking_number: '.' })],
  ['INVALID_TRACKING_NUMBER', '/subject/tracking_number', about({ tracking_number: ' . .' })],
  ['INVALID_IDENTIFIER', '/subject/piece_id', about({ piece_id: '..' })],
  ['INVALID_IDENTIFIER', '/subject/order_id', about({ order_id: 'a\nb' })],
  ['INVALID_SSCC', '/subject/gs1_sscc', about({ gs1_sscc: '12345' })],
  ['SSCC_CHECK_DIGIT', '/subject/gs1_sscc', about({ gs1_sscc: '340123450000000001' })],
  ['SUBJECT_MISMATCH', '/events/0/subject', of({ subject: { tracking_number: 'AB124' } })],
  ['SUBJECT_MISMATCH', '/events/0/subject', of({ subject: { order_id: '7' } })],
  ['INVALID_VERSION', '/otep_version', timeline([], { otep_version: '0.1.x' })],
  ['UNSUPPORTED_VERSION', '/events/0/otep_version', of({ otep_version: '1.0' })],
  ['UNSUPPORTED_VERSION', '/otep_version', timeline([], { otep_version: '0.0' })],
  ['UNKNOWN_PROFILE', '/profile', timeline([], { profile: 'moving' })],
  ['INVALID_EVENT_ID', '/events/0/event_id', of({ event_id: '17' })],
  ['INVALID_EVENT_ID', '/events/0/event_id', of({ event_id: 'http://example.com/a b' })],
  ['INVALID_EVENT_ID', '/events/0/retracts', of({ retracts: '' })],
  ['INVALID_TIME', '/events/0/occurred_at', of({ occurred_at: '2026-01-01 08:00:00' })],
  [
    'INVALID_TIME',
    '/events/0/source/recorded_at',
    of({ source: { type: 'carrier', recorded_at: '2026-02-30T00:00:00Z' } }),
  ],
  [
    'INVALID_TIME',
    '/retracted/0/event/occurred_at',
    timeline([], { retracted: [{ event: event({ occurred_at: 'then' }), retracted_at: '2026-01-01T08:00:00Z' }] }),
  ],
  ['TOO_FAR_AHEAD', '/events/0/occurred_at', of({ occurred_at: '2026-06-02T12:00:00.000000001Z' })],
  ['UNKNOWN_STATUS', '/events/0/status_code', of({ status_code: 'teleported' })],
  ['UNKNOWN_STATUS', '/events/0/status_code', of({ status_code: 'otep:moving:delivered' })],
  ['UNMAPPED_STATUS', '/events/0/raw', of({ status_code: undefined, raw: { code: 'DL' } })],
  ['UNKNOWN_STATUS', '/events/0/status_code', of({ status_code: 'x-Left' })],
  ['TOO_LONG', '/events/0/status_code', of({ status_code: `x-${'a'.repeat(127)}` })],
  ['TOO_LONG', '/events/0/incident_reason/code', of({ incident_reason: { code: `x-${'a'.repeat(127)}` } })],
  ['PHASE_NOT_ALLOWED', '/events/0/phase', of({ status_code: 'x-left-in-safe', phase: 'delivered' })],
  ['PHASE_NOT_ALLOWED', '/events/0/phase_id', of({ status_code: 'x-in-safe', phase_id: 'otep:phase:delivered' })],
  ['DERIVED_MISMATCH', '/events/0/phase', of({ phase: 'inbound' })],
  ['DERIVED_MISMATCH', '/events/0/phase_id', of({ phase_id: 'otep:phase:inbound' })],
  ['DERIVED_MISMATCH', '/events/0/status_id', of({ status_id: 'otep:parcel:received' })],
  ['DERIVED_MISMATCH', '/current_status', timeline(journeyEnd, { current_status: 'in_transit' })],
  ['DERIVED_MISMATCH', '/current_phase', timeline(journeyEnd, { current_phase: null })],
  ['DERIVED_MISMATCH', '/terminal_status', timeline(journeyEnd, { terminal_status: 'returned' })],
  ['DERIVED_MISMATCH', '/delivered', timeline(journeyEnd, { delivered: false })],
  ['INVALID_COUNTRY', '/events/0/location/country', of({ location: { country: 'UK' } })],
  ['INCOMPLETE_COORDINATES', '/events/0/location', of({ location: { latitude: 53.5 } })],
  ['UNKNOWN_REASON', '/events/0/incident_reason/code', of({ incident_reason: { code: 'ghosts' } })],
  ['PROOF_NOT_ALLOWED', '/events/0/proof', of({ proof: { kind: 'photo' } })],
  [
    'INVALID_URL',
    '/events/0/proof/url',
    of({ status_code: 'delivered', proof: { kind: 'photo', url: 'javascript:alert(1)' } }),
  ],
  ['RETRACTS_ITSELF', '/events/0/retracts', of({ event_id: ID, retracts: ID })],
  [
    'EVENT_ID_REUSED',
    '/events/1/event_id',
    timeline([at(8, 'received', { event_id: ID }), at(9, 'received', { event_id: ID })]),
  ],
  ['AFTER_TERMINAL', '/events/2', timeline([...journeyEnd, at(10, 'in_transit')])],
  ['AFTER_TERMINAL', '/events/2', timeline([...journeyEnd, at(10, 'x-survey')])],
  ['ANOMALY_UNFOUNDED', '/events/0/anomaly', of({ anomaly: 'before_creation' })],
  [
    'DERIVED_MISMATCH',
    '/events/0/anomaly',
    timeline([at(8, 'received', { anomaly: 'after_terminal' }), at(9, 'information_submitted')]),
  ],

  ['UNKNOWN_FIELD', '/events/0/colour', of({ colour: 'red' })],
  ['UNKNOWN_FIELD', '/events/0/a~1b~0c', of({ 'a/b~c': 1 })],
  ['UNKNOWN_FIELD', '/events/0/location/x-door', of({ location: { 'x-door': 3 } })],
  ['UNKNOWN_FIELD', '/colour', timeline([], { colour: 'red' })],
  [
    'UNKNOWN_FIELD',
    '/events/0/__proto__',
    JSON.parse(JSON.stringify(of({ colour: { polluted: true } })).replace('colour', '__proto__')),
  ],
  ['EMPTY_TEXT', '/events/0/location/city', of({ location: { city: '' } })],
  ['VERSION_MISSING', '/otep_version', timeline([event()], { otep_version: undefined })],
  ['NEWER_VERSION', '/otep_version', timeline([], { otep_version: '0.2' })],
  ['EXPERIMENTAL_STATUS', '/events/0/status_code', of({ status_code: 'x-new' })],
  ['EXPERIMENTAL_STATUS', '/events/0/status_code', of({ status_code: `x-${'a'.repeat(126)}` })],
  ['UNKNOWN_CARRIER', '/events/0/source/carrier', of({ source: { type: 'carrier', carrier: 'nosuchcarrier' } })],
  ['UNASSIGNED_COUNTRY', '/events/0/location/country', of({ location: { country: 'XK' } })],
  ['EXPERIMENTAL_REASON', '/events/0/incident_reason/code', of({ incident_reason: { code: 'x-strike' } })],
  ['SOURCE_MISSING', '/events/0/source', of({ source: undefined })],
  ['IN_THE_FUTURE', '/events/0/occurred_at', of({ occurred_at: '2026-06-02T12:00:00Z' })],
  ['OUT_OF_ORDER', '/events/1', timeline([at(9, 'in_transit'), at(8, 'received')])],
  ['DUPLICATE_EVENT', '/events/1', timeline([at(8, 'received'), at(8, 'received')])],
  [
    'DUPLICATE_EVENT',
    '/events/1/event_id',
    timeline([at(8, 'received', { event_id: ID }), at(8, 'received', { event_id: ID })]),
  ],
  [
    'BACKWARD_TRANSITION',
    '/events/2',
    timeline([at(8, 'arrival_scan'), at(9, 'delivery_failed'), at(10, 'picked_up')]),
  ],
  [
    'AFTER_TERMINAL_MARKED',
    '/events/2',
    timeline([...journeyEnd, at(10, 'in_transit', { anomaly: 'after_terminal' })]),
  ],
  // D13: a second terminal event changes nothing.
  ['AFTER_TERMINAL_MARKED', '/events/2', timeline([...journeyEnd, at(10, 'return_to_sender')])],
  [
    'UNKNOWN_RETRACTED',
    '/events/1/retracts',
    timeline([event({ event_id: ID }), event({ status_code: undefined, retracts: OTHER })]),
  ],
];

describe('findings of the checker', () => {
  for (const [code, path, document] of CASES) {
    it(`${code} at ${path || 'the root'}`, () => {
      const check = checkDocument(document, { now: NOW });
      const severity = FINDINGS[code];
      const [expected, other] = severity === 'error' ? [check.errors, check.warnings] : [check.warnings, check.errors];
      expect(
        expected.map((finding) => `${finding.code} ${finding.path}`),
        JSON.stringify(other),
      ).to.include(`${code} ${path}`);
      if (severity === 'error') expect(check.errors, 'one fault, one error').to.have.length(1);
      else expect(check).to.include({ conformant: true });
      for (const { message } of expected) expect(message, 'every place is filled').to.not.match(/[{}]/);
    });
  }

  it('every code has a case', () => {
    expect(new Set(CASES.map(([code]) => code))).to.deep.equal(new Set(Object.keys(FINDINGS)));
  });
});

describe('documents without a finding', () => {
  const PASSING: Record<string, unknown> = {
    'all phases forward': timeline([
      at(1, 'information_submitted'),
      at(2, 'picked_up'),
      at(3, 'received'),
      at(4, 'in_transit'),
      at(5, 'out_for_delivery'),
      at(6, 'delivered'),
    ]),
    'inbound and transit in turn': timeline([
      at(1, 'in_transit'),
      at(2, 'arrival_scan'),
      at(3, 'package_outbound'),
      at(4, 'received'),
    ]),
    'out for delivery and back to the depot': timeline([
      at(1, 'out_for_delivery'),
      at(2, 'delivery_failed'),
      at(3, 'received'),
      at(4, 'out_for_delivery'),
    ]),
    'a status with its prefix': of({
      status_code: 'otep:parcel:in_transit',
      status_id: 'otep:parcel:in_transit',
      phase: 'transit',
      phase_id: 'otep:phase:transit',
    }),
    'any patch of this version': timeline([event({ otep_version: '0.1.7' })], { otep_version: '0.1.12' }),
    'a retraction that came before its event': timeline(
      [event({ status_code: undefined, retracts: ID }), at(9, 'in_transit', { event_id: ID })],
      { current_status: null },
    ),
    'a retraction of an event in the retracted list of the document': timeline(
      [event({ status_code: undefined, retracts: ID })],
      { retracted: [{ event: event({ event_id: ID }), retracted_at: '2026-01-01T08:00:00Z' }] },
    ),
    'an id that an event shares with its retraction': timeline([
      event({ event_id: ID }),
      at(9, 'in_transit', { event_id: ID, retracts: ID, status_code: undefined }),
    ]),
    'a single event': { ...event({ otep_version: '0.1' }), subject: { gs1_sscc: '(00) 340123450000000000' } },
    'the subject repeated in an event': timeline([event({ subject: { tracking_number: 'ab-123' } })], {
      subject: { tracking_number: 'AB123', order_id: '7' },
    }),
    'no events at all': timeline([], {
      current_status: null,
      current_phase: null,
      terminal_status: null,
      delivered: false,
    }),
  };
  for (const [name, document] of Object.entries(PASSING)) {
    it(name, () => {
      const { errors, warnings } = checkDocument(document, { now: NOW });
      expect({ errors, warnings }).to.deep.equal({ errors: [], warnings: [] });
    });
  }

  it('a backward transition, at no level (D13)', () => {
    const backward = timeline([at(8, 'out_for_delivery'), at(9, 'information_submitted')]);
    const forward = timeline([at(8, 'information_submitted'), at(9, 'out_for_delivery')]);
    expect(checkDocument(backward, { now: NOW })).to.include({ conformant: true, level: 0 });
    expect(checkDocument(forward, { now: NOW })).to.include({ conformant: true, level: 1 });
  });

  it('a document that marked its future, once that future is in the past', () => {
    const written = timeline([at(8, 'delivered'), at(10, 'in_transit', { anomaly: 'in_the_future' })], {
      current_status: 'delivered',
      delivered: true,
    });
    expect(checkDocument(written, { now: instantOf('2026-01-01T09:00:00Z')! })).to.include({ conformant: true });
    expect(checkDocument(written, { now: NOW }).errors).to.deep.equal([]);
    const unfounded = timeline([at(8, 'received', { anomaly: 'in_the_future' }), at(10, 'in_transit')]);
    expect(checkDocument(unfounded, { now: NOW }).errors.map(({ code }) => code)).to.deep.equal(['ANOMALY_UNFOUNDED']);
  });
});

describe('all faults of an event (issue 40, item 8)', () => {
  /** One fault each, by the members that cause it. */
  const FAULTS: readonly (readonly [members: Members, ...errors: string[]])[] = [
    [{ occurred_at: undefined }, 'REQUIRED /events/0/occurred_at'],
    [{ occurred_at: 'then' }, 'INVALID_TIME /events/0/occurred_at'],
    [{ occurred_at: '2026-06-03T12:00:00Z' }, 'TOO_FAR_AHEAD /events/0/occurred_at'],
    [{ status_code: 'teleported' }, 'UNKNOWN_STATUS /events/0/status_code'],
    [{ status_code: 7 }, 'INVALID_TYPE /events/0/status_code'],
    [{ status_code: 'received', phase: 'transit' }, 'DERIVED_MISMATCH /events/0/phase'],
    [{ status_code: 'x-safe', phase: 'delivered' }, 'PHASE_NOT_ALLOWED /events/0/phase'],
    [{ status_code: undefined, raw: { code: 'DL' } }, 'UNMAPPED_STATUS /events/0/raw'],
    [{ status_code: undefined, raw: { code: 7 } }, 'INVALID_TYPE /events/0/raw/code'],
    [{ status_code: undefined, raw: { code: '' } }, 'UNMAPPED_STATUS /events/0/raw'],
    [{ raw: { code: 7 } }, 'INVALID_TYPE /events/0/raw/code'],
    [{ otep_version: '1.0' }, 'UNSUPPORTED_VERSION /events/0/otep_version'],
    [{ event_id: '17' }, 'INVALID_EVENT_ID /events/0/event_id'],
    [{ event_id: ID, retracts: ID }, 'RETRACTS_ITSELF /events/0/retracts'],
    [{ subject: { tracking_number: 'OTHER' } }, 'SUBJECT_MISMATCH /events/0/subject'],
    [
      { location: { latitude: 91, city: 'a'.repeat(201) } },
      'TOO_BIG /events/0/location/latitude',
      'TOO_LONG /events/0/location/city',
      'INCOMPLETE_COORDINATES /events/0/location',
    ],
    [
      { source: { type: 'bird', recorded_at: 7 } },
      'INVALID_VALUE /events/0/source/type',
      'INVALID_TYPE /events/0/source/recorded_at',
    ],
    [{ incident_reason: { code: 'ghosts' } }, 'UNKNOWN_REASON /events/0/incident_reason/code'],
    [{ description: 'a'.repeat(1001) }, 'TOO_LONG /events/0/description'],
    [{ anomaly: 'odd' }, 'INVALID_VALUE /events/0/anomaly'],
    [{ 'x-a': ['\u0000', { b: '\u0000' }] }, 'INVALID_TEXT /events/0/x-a/0', 'INVALID_TEXT /events/0/x-a/1/b'],
    [
      { [`x-${'a'.repeat(63)}`]: '\u0000' },
      `TOO_LONG /events/0/x-${'a'.repeat(63)}`,
      `INVALID_TEXT /events/0/x-${'a'.repeat(63)}`,
    ],
  ];
  const errorsOf = (document: unknown) =>
    checkDocument(document, { now: NOW }).errors.map(({ code, path }) => `${code} ${path}`);

  it('are reported together, for every two faults in different members', () => {
    for (const [index, [one, ...errors]] of FAULTS.entries()) {
      expect(errorsOf(of(one)), JSON.stringify(one)).to.have.members(errors);
      for (const [other, ...others] of FAULTS.slice(index + 1)) {
        if (Object.keys(one).some((name) => name in other)) continue;
        const both = { ...one, ...other };
        // A status that is already invalid has no second finding about its absence.
        expect(errorsOf(of(both)), JSON.stringify(both)).to.have.members([...errors, ...others]);
      }
    }
  });

  it('include those of a proof, of an event next to an invalid one, and of a subject without a timeline’s', () => {
    expect(errorsOf(of({ proof: { kind: 'photo' }, occurred_at: 'then' }))).to.have.members([
      'INVALID_TIME /events/0/occurred_at',
      'PROOF_NOT_ALLOWED /events/0/proof',
    ]);
    expect(
      errorsOf(
        timeline([
          at(8, 'received', { event_id: ID }),
          at(9, 'received', { event_id: ID }),
          event({ phase: 'return' }),
        ]),
      ),
    ).to.have.members(['EVENT_ID_REUSED /events/1/event_id', 'DERIVED_MISMATCH /events/2/phase']);
    expect(errorsOf(timeline([event({ subject: { gs1_sscc: '1' } })], { subject: {} }))).to.have.members([
      'NO_IDENTIFIER /subject',
      'INVALID_SSCC /events/0/subject/gs1_sscc',
    ]);
  });
});
