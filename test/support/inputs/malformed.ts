/** Invalid requests, and some that only look invalid, for the test that none of them causes damage. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { event, timelineOf } from './pushes.js';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path below /api/v1, in its transmitted form. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const SHORT = timelineOf(
  'MALFORMED1',
  [
    event('picked_up', 1, {
      event_id: 'urn:example:m1',
      location: { name: 'x', latitude: 1, longitude: 2 },
      source: { type: 'carrier' },
      raw: { code: 'A', text: 'b' },
      proof: { kind: 'pin' },
    }),
  ],
  { order_id: 'o', gs1_sscc: '340123450000000031' },
);
const DOCUMENTS: readonly unknown[] = [
  SHORT,
  { timelines: [SHORT, SHORT] },
  { ...event('received'), subject: { tracking_number: 'MALFORMED2' } },
  { tracking_numbers: ['MALFORMED1'] },
  { mapping: [{ raw: 'A', status_code: 'received' }] },
];

const EPCIS = {
  '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-01T12:00:00Z',
  epcisBody: {
    eventList: [
      {
        type: 'ObjectEvent',
        eventID: 'urn:uuid:7f9f0e6a-3b1f-4d6e-9d38-1df7b2a6a001',
        eventTime: '2026-03-01T10:00:00+01:00',
        eventTimeZoneOffset: '+01:00',
        action: 'OBSERVE',
        bizStep: 'accepting',
        disposition: 'in_transit',
        epcList: ['urn:epc:id:sscc:4012345.0111111111'],
        readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
        bizTransactionList: [{ type: 'po', bizTransaction: 'urn:epcglobal:cbv:bt:4012345000009:1' }],
        sensorElementList: [
          {
            sensorMetadata: { time: '2026-03-01T10:00:00+01:00' },
            sensorReport: [{ type: 'Temperature', value: 5, uom: 'CEL' }],
          },
        ],
      },
    ],
  },
};

/** Values of unexpected types. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -0,
    1e308,
    -1,
    1.5,
    '',
    ' ',
    [],
    {},
    [[]],
    '\u202e',
    'NaN',
    'null',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '0000-00-00T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '+275760-09-13T00:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T24:00:00Z',
    1e400,
    "'; drop table log.events; --",
    '../../etc/passwd',
    '${7*7}',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('x', '東', '👍🏽', '\u0301').map((unit) => unit.repeat(3_000)),
  fc
    .constantFrom('__proto__', 'constructor', 'toString')
    .map((key) => JSON.parse(`{"${key}":{"polluted":true}}`) as unknown),
  fc.jsonValue({ maxDepth: 4 }),
  fc
    .integer({ min: 1, max: 40 })
    .map((depth) =>
      Array.from({ length: depth }).reduce<unknown>((inner) => (depth % 2 ? [inner] : { 'x-a': inner }), 1),
    ),
);

/** A valid document with one to four members or elements replaced, removed or added. */
const spoilt = (documents: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...documents),
      fc.array(fc.tuple(fc.nat(), oddValue, fc.constantFrom('replace', 'remove', 'add')), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    .map(([document, changes]) =>
      changes.reduce<unknown>((whole, [at, value, how]) => change(whole, at, value, how), structuredClone(document)),
    );

function change(document: unknown, at: number, value: unknown, how: string): unknown {
  const places = placesOf(document);
  if (places.length === 0) return value;
  const [holder, key] = places[at % places.length]!;
  if (how === 'remove') Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key];
  else if (how === 'add')
    Object.defineProperty(
      holder,
      Array.isArray(holder) ? holder.length : ['x-odd', '__proto__', 'constructor', 'event_id', 'y'][at % 5]!,
      { value, enumerable: true, configurable: true, writable: true },
    );
  else holder[key] = value;
  return document;
}

function placesOf(value: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
    ...placesOf((value as Record<string, unknown>)[key]),
  ]);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'undefined');

/** Text that is not JSON, and JSON with invalid bytes or invalid characters. */
const brokenText = (documents: readonly unknown[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...documents), fc.nat(), fc.constantFrom('', '}', ',', '"', '\\', '\u0000', 'NaN'))
      .map(([document, at, put]) => {
        const text = JSON.stringify(document);
        const place = at % text.length;
        return Buffer.from(text.slice(0, place) + put + text.slice(place + 1));
      }),
    fc
      .tuple(
        fc.constantFrom(...documents),
        fc.nat(),
        fc.constantFrom([0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0x00], [0x80]),
      )
      .map(([document, at, bytes]) => {
        const text = json(document);
        const place = at % text.length;
        return Buffer.concat([text.subarray(0, place), Buffer.from(bytes), text.subarray(place)]);
      }),
    fc
      .tuple(
        fc.constantFrom(...documents),
        fc.constantFrom('\\ud800', '\\udfff', '\\u0000', 'a\\ud83d', '\\udc00\\ud800'),
        fc.nat(),
      )
      .map(([document, escape, at]) => {
        const quoted = [...JSON.stringify(document).matchAll(/"/g)].map(({ index }) => index);
        const text = JSON.stringify(document);
        const place = quoted[at % quoted.length]! + 1;
        return Buffer.from(text.slice(0, place) + escape + text.slice(place));
      }),
    fc
      .integer({ min: 30, max: 100_000 })
      .chain((depth) =>
        fc
          .constantFrom(['[', ']'], ['{"a":', '}'])
          .map(([open, close]) => Buffer.from(`${open!.repeat(depth)}1${close!.repeat(depth)}`)),
      ),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );

/**
 * Bodies that are too large, some only after decompression. Created once, because the test measures the work of the
 * server.
 */
const BIG = [
  Buffer.alloc(2_000_000, ' '),
  json({ ...SHORT, 'x-big': 'x'.repeat(2_000_000) }),
  gzipSync(Buffer.alloc(50_000_000, ' ')),
  gzipSync(
    json(
      timelineOf(
        'MALFORMED3',
        Array.from({ length: 2_000 }, (_, index) => event('received', index)),
      ),
    ),
  ),
];
const big = fc.constantFrom(...BIG);

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'text/plain',
        'application/xml',
        'application/json; charset=utf-16le',
        'application/json; charset=latin1',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        '',
        ';',
        'application/json, text/html',
        'APPLICATION/JSON',
      )
      .map((type) => ({ 'content-type': type })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Record<string, string>>(
        { 'x-event-position': '-1' },
        { 'idempotency-key': 'a b' },
        { 'accept-language': '*;q=x,,-' },
        { accept: ';;q=,' },
        { 'content-encoding': 'gzip' },
        { 'content-encoding': 'identity, gzip' },
        { 'content-encoding': 'zstd' },
      )
      .map((odd) => ({ 'content-type': 'application/json', ...odd })),
  },
);

const POSTS = [
  ['POST', '/otep/ingest'],
  ['POST', '/otep/validate'],
  ['POST', '/otep/convert?to=shippo'],
  ['POST', '/otep/convert'],
  ['POST', '/otep/trackings/batch'],
  ['PUT', '/provider/status-mapping'],
] as const;

const post = (
  targets: readonly (readonly ['POST' | 'PUT', string])[],
  documents: readonly unknown[],
): fc.Arbitrary<Sent> =>
  fc
    .tuple(
      fc.constantFrom(...targets),
      headers,
      fc.oneof(
        { weight: 60, arbitrary: spoilt(documents).map((value) => [json(value)] as const) },
        { weight: 36, arbitrary: brokenText(documents).map((body) => [body] as const) },
        {
          weight: 3,
          arbitrary: fc
            .oneof(spoilt(documents).map(json), brokenText(documents))
            .chain((body) =>
              fc
                .constantFrom(
                  ['gzip', gzipSync(body)],
                  ['deflate', deflateSync(body)],
                  ['br', brotliCompressSync(body)],
                  ['gzip', gzipSync(body).subarray(0, 15)],
                )
                .map(([encoding, packed]) => [packed as Buffer, encoding as string] as const),
            ),
        },
        { weight: 1, arbitrary: big.map((body) => (body[0] === 0x1f ? ([body, 'gzip'] as const) : ([body] as const))) },
      ),
    )
    .map(([[method, path], given, [body, encoding]]) => ({
      method,
      path,
      body,
      headers: encoding === undefined ? given : { ...given, 'content-encoding': encoding },
    }));

const segment = fc.oneof(
  fc.constantFrom(
    '%',
    '%00',
    '%zz',
    '%C3%28',
    '%ED%A0%80',
    '%2e%2e%2f',
    '..%2F..',
    '%F0%9F%91%8D',
    '__proto__',
    'constructor',
    '%20',
    '%E2%80%AE',
    'a%0d%0aset-cookie:x',
    '%25',
    '+',
    "';--",
    '%u0041',
    'x'.repeat(5_000),
    '(00)340123450000000031',
    'order:1',
  ),
  fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
);
const query = fc.constantFrom(
  '',
  '?format=',
  '?format=%00',
  '?format[]=otep',
  '?format=otep&format=epcis',
  '?carrier=%ED%A0%80',
  '?carrier=%00',
  '?after=NaN',
  '?after=1e999',
  '?limit=-0',
  '?limit=%31',
  '?__proto__=1',
  '?format=__proto__',
  '?after[__proto__]=1',
  `?carrier=${'c'.repeat(5_000)}`,
  '?%',
  '?%ff=%ff',
  '?&&==',
);
const get: fc.Arbitrary<Sent> = fc
  .tuple(segment, fc.constantFrom('', '/events', '/events/', '/x', '//events'), query, headers)
  .map(([number, rest, queryText, given]) => ({
    method: 'GET',
    path: `/otep/trackings/${number}${rest}${queryText}`,
    headers: given,
  }));

export const malformed: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 4, arbitrary: post(POSTS, DOCUMENTS) },
  { weight: 1, arbitrary: get },
);
export const malformedEpcis: fc.Arbitrary<Sent> = post(
  [
    ['POST', '/otep/ingest/epcis'],
    ['POST', '/otep/epcis/capture'],
  ],
  [EPCIS, EPCIS.epcisBody.eventList[0], EPCIS.epcisBody.eventList],
);
