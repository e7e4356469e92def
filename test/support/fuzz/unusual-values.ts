/** Invalid values, invalid member names, and random changes to a document. */
import type { Random } from './random.js';

export type Json = unknown;

/** Names that every JavaScript object inherits. */
export const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  'toJSON',
  'then',
] as const;

const PLAIN: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -0,
    -1,
    1.5,
    1e308,
    1e-308,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    '',
    ' ',
    '0',
    '-1',
    'null',
    'NaN',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { '': '' },
    'undefined',
    'true',
    '\u202e',
    '\ufeff',
    '\u0301',
    '%00',
    '../../etc/passwd',
  ],
  ...[
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '2026-01-01T24:00:00Z',
  ],
  ...[
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0001-01-01',
    '9999-12-31',
    '23:60',
    '24:00',
    '99999999999',
  ],
  ...["'; drop table log.events; --", '${7*7}', '{{7*7}}', '<script>', 'javascript:alert(1)', 'a\r\nset-cookie: x=1'],
  ...['http://169.254.169.254/', 'file:///etc/passwd', 'https://[::1]/', 'urn:uuid:x', '%', '_', '\\', '"', '1e400'],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '6a6f6b65', 'UTC', 'Mars/Phobos'],
];

const LONG = ['x', '東', '👍🏽', '\u0301', '[', '"', '-1,'].map((unit) => unit.repeat(4_000));

/** Returns a new object each time, because the caller may change it. */
export function oddValue(random: Random): Json {
  switch (random.below(12)) {
    case 0:
      return nested(random, random.pick([2, 8, 31, 32, 33, 40]));
    case 1:
      return withName(random.pick(PROTOTYPE_NAMES), random.pick([1, 'x', {}, { polluted: true }, null]));
    case 2:
      return random.pick(LONG);
    case 3:
      return String.fromCodePoint(...Array.from({ length: 1 + random.below(20) }, () => scalar(random)));
    case 4:
      return Array.from({ length: random.pick([2, 50, 101, 501, 1_001]) }, () => structuredClone(random.pick(PLAIN)));
    case 5:
      return (random.below(2 ** 30) - 2 ** 29) / random.pick([1, 3, 1_000]);
    default:
      return structuredClone(random.pick(PLAIN));
  }
}

function scalar(random: Random): number {
  const code = random.oneIn(3) ? random.below(0x110000) : random.below(0x250);
  return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

function nested(random: Random, depth: number): Json {
  let value: Json = 1;
  const asList = random.oneIn(2);
  for (let level = 0; level < depth; level++) value = asList ? [value] : { a: value };
  return value;
}

/** Creates a record in which even `__proto__` is an ordinary member. */
export const withName = (name: string, value: Json): Record<string, Json> =>
  Object.fromEntries([[name, value]]) as Record<string, Json>;

type Place = readonly [holder: Record<string, Json> | Json[], key: string];

function placesOf(value: Json, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, Json>, key]);
    if (found.length < 500) placesOf((value as Record<string, Json>)[key], found);
  }
  return found;
}

/**
 * Replaces, removes, adds, duplicates or exchanges some members or elements of the document. Changes the document
 * itself.
 */
export function mutate(document: Json, random: Random): Json {
  for (let remaining = 1 + random.below(3); remaining > 0; remaining--) {
    const places = placesOf(document);
    if (places.length === 0) return oddValue(random);
    const [holder, key] = random.pick(places);
    const inside = holder as Record<string, Json>;
    switch (random.below(8)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete inside[key];
        break;
      case 1:
        put(
          inside,
          Array.isArray(holder) ? holder.length : random.pick([...PROTOTYPE_NAMES, 'x-odd', '', key]),
          random,
        );
        break;
      case 2:
        inside[key] = [inside[key], structuredClone(inside[key])];
        break;
      case 3:
        inside[key] = typeof inside[key] === 'string' ? Number(inside[key]) || true : JSON.stringify(inside[key]);
        break;
      case 4: {
        const [otherHolder, otherKey] = random.pick(places);
        inside[key] = structuredClone((otherHolder as Record<string, Json>)[otherKey]);
        break;
      }
      default:
        inside[key] = oddValue(random);
    }
  }
  return document;
}

const put = (holder: object, name: string | number, random: Random): unknown =>
  Object.defineProperty(holder, name, {
    value: oddValue(random),
    enumerable: true,
    configurable: true,
    writable: true,
  });
