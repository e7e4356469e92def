/** The checker accepts any input. Documents of the service pass, and the zod schemas agree with the checker. */
import { expect } from 'chai';
import fc from 'fast-check';
import { checkDocument } from '../../../src/events/otep/check/document.js';
import { normalizeNumber } from '../../../src/events/otep/check/subject.js';
import { timelineInputSchema, timelineSchema } from '../../../src/events/otep/schema.js';
import { instantAt } from '../../../src/events/otep/time.js';
import { deriveTimeline } from '../../../src/events/otep/timeline.js';
import { otep } from '../../../src/serializers/otep.js';
import { journey, NOW, subject, uniqueScans } from '../../support/inputs/timelines.js';
import { runs } from '../../support/depth.js';

type Members = Record<string, unknown>;
const overTheWire = (value: unknown): Members => JSON.parse(JSON.stringify(value)) as Members;
const written = journey().map((one) => overTheWire(otep.serialize(one, { baseUrl: 'https://example.com' })));

/** Strings of any UTF-16 code units, including lone surrogates. */
const weird = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 })
  .map((units) => String.fromCharCode(...units));
const FIELDS = [
  'otep_version',
  'profile',
  'subject',
  'events',
  'retracted',
  'event',
  'retracted_at',
  'event_id',
  'retracts',
  'occurred_at',
  'status_code',
  'status_id',
  'phase',
  'phase_id',
  'location',
  'latitude',
  'country',
  'source',
  'type',
  'incident_reason',
  'code',
  'raw',
  'proof',
  'kind',
  'url',
  'anomaly',
  'tracking_number',
  'gs1_sscc',
  'current_status',
  'delivered',
  '__proto__',
  'constructor',
  'toString',
  'x-a',
  'x-',
  '',
  '~/',
];
const VALUES = [
  '0.1',
  'parcel',
  'delivered',
  'x-y',
  'otep:parcel:delivered',
  '2026-01-01T00:00:00Z',
  'transit',
  'DE',
  'photo',
  'https://example.com',
  'urn:a:b',
  '',
];
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.jsonValue(),
    fc.constantFrom<unknown>(...VALUES, 0, -1, 1e308, Infinity, null, true),
    weird,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(
        fc.tuple(
          fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, { weight: 1, arbitrary: weird }),
          tie('value'),
        ),
        { maxLength: 8 },
      )
      .map(ownMembers),
  ),
})).value;

/** Defines members as JSON.parse does: `__proto__` is an ordinary member. */
function ownMembers(entries: readonly (readonly [string, unknown])[]): Members {
  const members: Members = {};
  for (const [key, value] of entries)
    Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
  return members;
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

describe('checker with arbitrary input', () => {
  it('returns findings that point into the document', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anything,
          fc.record(
            { subject: anything, events: fc.array(anything, { maxLength: 3 }), retracted: anything },
            { requiredKeys: ['events'] },
          ),
        ),
        (value) => {
          const { conformant, level, errors, warnings, journey } = checkDocument(value, { now: NOW });
          expect(conformant).to.equal(errors.length === 0);
          expect(journey !== undefined).to.equal(conformant);
          expect(conformant || level === 0).to.be.true;
          for (const { path, message } of [...errors, ...warnings]) {
            expect(path).to.match(POINTER);
            expect(
              path.isWellFormed() && message.isWellFormed() && !message.includes('\u0000') && !path.includes('\u0000'),
              path,
            ).to.be.true;
          }
        },
      ),
      { numRuns: runs(1000) },
    );
    expect(({} as Members)['polluted']).to.be.undefined;
  });

  it('accepts nesting that would break a recursion', () => {
    const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as unknown;
    const event = { occurred_at: '2026-01-01T00:00:00Z', status_code: 'received', 'x-deep': deep, dropped: deep };
    const { errors } = checkDocument({ subject: { tracking_number: 'A' }, events: [event, deep], deep }, { now: NOW });
    expect(errors.map(({ code }) => code)).to.include.members(['TOO_DEEP', 'INVALID_TYPE']);
  });

  it('limits its response', () => {
    const faulty = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
    expect(
      checkDocument({ subject: { tracking_number: 'A' }, events: [], ...faulty }, { now: NOW }).warnings,
    ).to.have.length(100);
    const { warnings } = checkDocument(
      { subject: { tracking_number: 'A' }, events: Array.from({ length: 50 }, () => faulty) },
      { now: NOW },
    );
    expect(warnings).to.have.length(1000);
  });
});

describe('checker with documents of the service', () => {
  it('finds no error, and reads the same timeline', () => {
    fc.assert(
      fc.property(journey(), (one) => {
        const check = checkDocument(overTheWire(otep.serialize(one, { baseUrl: '' })), { now: NOW });
        expect(check.errors).to.deep.equal([]);
        expect(check.journey?.timeline).to.deep.equal(one.timeline);
        expect(overTheWire(check.journey?.retracted)).to.deep.equal(overTheWire(one.retracted));
      }),
    );
  });

  it('at any time of writing', () => {
    fc.assert(
      fc.property(
        subject,
        uniqueScans({ minLength: 1 }),
        fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2026, 6, 1) }),
        (subject, scans, moment) => {
          const then = deriveTimeline(subject, scans, instantAt(moment));
          expect(checkDocument(overTheWire(then), { now: NOW }).errors).to.deep.equal([]);
        },
      ),
    );
  });
});

describe('zod schemas and checker', () => {
  it('accept the same documents', () => {
    fc.assert(
      fc.property(written, (document) => {
        expect(timelineSchema.safeParse(document).error, 'output').to.be.undefined;
        expect(timelineInputSchema.safeParse(document).error, 'input').to.be.undefined;
      }),
    );
  });

  it('reject the same wrong types', () => {
    const wrong = fc
      .constantFrom<readonly unknown[]>([true], [7], ['text'], [{}], [[]], [null])
      .map(([value]) => value);
    let tried = 0;
    fc.assert(
      fc.property(written, fc.nat(), wrong, (document, pick, value) => {
        const places = placesOf(document, document);
        const place = places[pick % places.length]!;
        const claim = place.owner === document && /^(current|terminal)_/.test(place.key);
        fc.pre(
          typeName(value) !== typeName(place.owner[place.key]) &&
            !(claim && ['null', 'string'].includes(typeName(value))),
        );
        place.owner[place.key] = value;
        tried += 1;
        expect(timelineInputSchema.safeParse(document).success, `schema: ${place.key}`).to.be.false;
        expect(checkDocument(document, { now: NOW }).conformant, `checker: ${place.key}`).to.be.false;
      }),
      { numRuns: runs(500) },
    );
    expect(tried).to.be.at.least(runs(500));
  });
});

interface Place {
  readonly owner: Members;
  readonly key: string;
}

/**
 * Every member whose type the protocol fixes, except extensions and the content of `retracted`, which is output only.
 */
function placesOf(value: unknown, root: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key.startsWith('x-')) return [];
    return [{ owner: value as Members, key }, ...(value === root && key === 'retracted' ? [] : placesOf(member, root))];
  });
}

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

describe('tracking numbers', () => {
  it('have one normal form', () => {
    for (const given of ['1z 999-aa1', '１Ｚ９９９ａａ１', '1Z\u00a0999\u2011AA1', '\u200e1z999aa1\u00ad'])
      expect(normalizeNumber(given)).to.equal('1Z999AA1');
    for (const given of [
      '',
      ' ',
      'A'.repeat(65),
      'Ä1',
      'A?',
      'A\u0000',
      '<script>',
      '🙂',
      'ıß1234',
      'ſ1',
      'ﬁ1',
      '\u212a1',
      '①',
    ])
      expect(normalizeNumber(given), given).to.be.undefined;
  });

  it('of a USPS barcode is the number below it', () => {
    const [short, long] = ['9400111899223100001234', '92748999991234567890123456'];
    for (const [barcode, number] of [
      [`42094105${short}`, short],
      [`420 94105 ${short.replace(/(.{4})/g, '$1 ')}`, short],
      [`(420)94105(94)${short.slice(2)}`, short],
      [`42094105\u001d${short}`, short],
      [`420941051234${short}`, short],
      [`42094105${long}`, long],
      [`420941051234${long}`, long],
      // The last 22 and the last 26 digits could both be the number. The check digit decides, else the long ZIP code.
      [`420941059312${short}`, short],
      ['4209410593129205500000000000000001', '9205500000000000000001'],
      ['4209410593129205500000000000000006', '93129205500000000000000006'],
    ] as const)
      expect([barcode, normalizeNumber(barcode)]).to.deep.equal([barcode, number]);
    for (const other of [short, '42094105', `42094105${short}1`, `42094105${short.slice(1)}`, `420AB105${short}`])
      expect(normalizeNumber(other), other).to.equal(other);
  });

  it('normal forms stay unchanged', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.string({ maxLength: 80 }), weird),
        (given) => {
          const number = normalizeNumber(given);
          if (number !== undefined) expect(normalizeNumber(number)).to.equal(number);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});
