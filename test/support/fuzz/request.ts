/** One request in its transmitted form, and faults of its bytes and headers that are independent of its content. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from './random.js';
import type { Json } from './unusual-values.js';

export interface FuzzRequest {
  /** For REST the name of the operation; otherwise a comparable name. */
  readonly name: string;
  readonly method: string;
  /** From the root, in its transmitted form. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The caller; undefined: anonymous. */
  readonly caller: string | undefined;
  /** The first bytes of a connection; replaces all other members. */
  readonly raw?: Buffer;
}

export type RequestGenerator = (random: Random) => FuzzRequest;

const bytes = (...list: number[]): Buffer => Buffer.from(list);
const BAD_BYTES = [
  bytes(0xff),
  bytes(0xc0, 0x80),
  bytes(0xed, 0xa0, 0x80),
  bytes(0xf8, 0x88, 0x80, 0x80, 0x80),
  bytes(0xe2, 0x82),
  bytes(0x00),
  bytes(0xef, 0xbb, 0xbf),
];
const ESCAPES = ['\\ud800', '\\udfff', '\\u0000', 'a\\ud83d', '\\udc00\\ud800', '\\u', '\\x41', '\\u000'];
const DEPTHS = [31, 33, 500, 20_000, 100_000];

const insert = (text: Buffer, at: number, put: Buffer): Buffer =>
  Buffer.concat([text.subarray(0, at), put, text.subarray(at)]);

/** Returns the JSON text of the value. One in eight texts is malformed. */
export function bodyOf(value: Json, random: Random): Buffer {
  const text = JSON.stringify(value) ?? 'undefined';
  const whole = Buffer.from(text);
  if (!random.oneIn(8)) return whole;
  switch (random.below(9)) {
    case 0:
      return insert(whole, random.below(whole.length + 1), random.pick(BAD_BYTES));
    case 1: {
      const quotes = [...text.matchAll(/"/g)].map(({ index }) => index + 1);
      const at = quotes.length > 0 ? random.pick(quotes) : 0;
      return Buffer.from(text.slice(0, at) + random.pick(ESCAPES) + text.slice(at));
    }
    case 2:
      return whole.subarray(0, random.below(whole.length + 1));
    case 3: {
      const [open, close] = random.pick([
        ['[', ']'],
        ['{"a":', '}'],
      ] as const);
      const depth = random.pick(DEPTHS);
      return Buffer.from(`${open.repeat(depth)}1${random.oneIn(2) ? '' : close.repeat(depth)}`);
    }
    case 4:
      return Buffer.from(text, 'utf16le');
    case 5:
      return Buffer.from(doubled(text, random));
    case 6:
      return Buffer.from(text + random.pick(['}', ',', ' x', '\u0000', text, '//']));
    case 7:
      return Buffer.from(text.replace(/\d+/, random.pick(['1e999', '-', '01', '0x1', 'NaN', '9'.repeat(400), '1.'])));
    default:
      return Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
  }
}

/** Duplicates a member with another value. */
function doubled(text: string, random: Random): string {
  const members = [...text.matchAll(/"[^"\\]{1,40}":/g)];
  if (members.length === 0) return text + text;
  const { 0: member, index } = random.pick(members);
  return text.slice(0, index) + member + random.pick(['1', 'null', '{}', '"x"', '[]']) + ',' + text.slice(index);
}

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'x-event-position': '-1' },
  { 'x-event-position': '99999999999999999999' },
  { 'x-event-position': 'constructor' },
  { 'idempotency-key': 'a b' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': 'the-same-for-all' },
  { 'accept-language': '*;q=x,,-' },
  { 'accept-language': 'de,'.repeat(500) },
  { 'accept-language': '__proto__' },
  { accept: ';;q=,' },
  { accept: 'application/xml' },
  { accept: 'text/event-stream' },
  { accept: 'application/pdf' },
  { accept: 'application/graphql-response+json' },
  { 'if-none-match': '"' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'yesterday' },
  { 'last-event-id': '-1' },
  { range: 'bytes=9-1' },
  { expect: 'x' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'access-control-request-method': 'constructor', origin: 'x' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16le' },
  { 'content-type': 'application/json; charset=' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/ld+json' },
  { 'content-type': ';' },
  { 'content-encoding': 'zstd' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity, gzip' },
  { 'x-forwarded-for': '1.2.3.4, x', 'x-forwarded-host': 'evil.example', forwarded: 'for=x' },
  { cookie: `${'a=b; '.repeat(300)}` },
  { cookie: '_session=x; _interaction=__proto__; _session.sig=x' },
  { 'x-mcp-profile': 'constructor' },
  { 'x-mcp-scopes': 'orders:read,__proto__' },
  { 'x-mcp-dry-run': '1' },
  { 'x-mcp-require-approval': 'maybe' },
  { 'mcp-protocol-version': '1999-01-01' },
  { 'gs1-epcis-version': '9.9.9', 'gs1-capture-error-behaviour': 'x' },
];

/** Returns an unexpected header for one in six requests. */
export const oddHeaders = (random: Random): Readonly<Record<string, string>> =>
  random.oneIn(6) ? random.pick(ODD_HEADERS) : {};

const PACKERS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

/** Compresses the body of one in 25 requests, completely or truncated. */
export function packed(fuzzRequest: FuzzRequest, random: Random): FuzzRequest {
  if (!fuzzRequest.body || !random.oneIn(25)) return fuzzRequest;
  const encoding = random.pick(['gzip', 'deflate', 'br'] as const);
  const whole = PACKERS[encoding](fuzzRequest.body);
  const body = random.oneIn(3) ? whole.subarray(0, random.below(whole.length)) : whole;
  return { ...fuzzRequest, headers: { ...fuzzRequest.headers, 'content-encoding': encoding }, body };
}

/** Encodes a value for a path or a query. Sometimes returns an invalid encoding. */
export function inAddress(value: Json, random: Random): string {
  if (random.oneIn(40))
    return random.pick(['%', '%00', '%zz', '%ED%A0%80', '%C3%28', '..%2F..', '%2e%2e', '%0d%0a', '+', '%25']);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000);
}
