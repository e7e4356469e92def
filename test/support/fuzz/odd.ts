/** Invalid values, invalid member names, and random changes to a document. */
import type { Dice } from './dice.js';

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
export function oddValue(dice: Dice): Json {
  switch (dice.below(12)) {
    case 0:
      return nested(dice, dice.pick([2, 8, 31, 32, 33, 40]));
    case 1:
      return withName(dice.pick(PROTOTYPE_NAMES), dice.pick([1, 'x', {}, { polluted: true }, null]));
    case 2:
      return dice.pick(LONG);
    case 3:
      return String.fromCodePoint(...Array.from({ length: 1 + dice.below(20) }, () => scalar(dice)));
    case 4:
      return Array.from({ length: dice.pick([2, 50, 101, 501, 1_001]) }, () => structuredClone(dice.pick(PLAIN)));
    case 5:
      return (dice.below(2 ** 30) - 2 ** 29) / dice.pick([1, 3, 1_000]);
    default:
      return structuredClone(dice.pick(PLAIN));
  }
}

function scalar(dice: Dice): number {
  const code = dice.once(3) ? dice.below(0x110000) : dice.below(0x250);
  return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

function nested(dice: Dice, depth: number): Json {
  let value: Json = 1;
  const asList = dice.once(2);
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
export function spoil(document: Json, dice: Dice): Json {
  for (let left = 1 + dice.below(3); left > 0; left--) {
    const places = placesOf(document);
    if (places.length === 0) return oddValue(dice);
    const [holder, key] = dice.pick(places);
    const inside = holder as Record<string, Json>;
    switch (dice.below(8)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete inside[key];
        break;
      case 1:
        put(inside, Array.isArray(holder) ? holder.length : dice.pick([...PROTOTYPE_NAMES, 'x-odd', '', key]), dice);
        break;
      case 2:
        inside[key] = [inside[key], structuredClone(inside[key])];
        break;
      case 3:
        inside[key] = typeof inside[key] === 'string' ? Number(inside[key]) || true : JSON.stringify(inside[key]);
        break;
      case 4: {
        const [otherHolder, otherKey] = dice.pick(places);
        inside[key] = structuredClone((otherHolder as Record<string, Json>)[otherKey]);
        break;
      }
      default:
        inside[key] = oddValue(dice);
    }
  }
  return document;
}

const put = (holder: object, name: string | number, dice: Dice): unknown =>
  Object.defineProperty(holder, name, { value: oddValue(dice), enumerable: true, configurable: true, writable: true });
