/** Values that a JSON Schema describes: mostly valid ones, sometimes edge cases. */
import fc from 'fast-check';
import type { Random } from './random.js';
import { oddValue, type Json } from './unusual-values.js';

export type Schema = Readonly<Record<string, unknown>>;

/** Values that are valid somewhere, by member name: existing ids, codes, parcel numbers. */
export type KnownValues = ReadonlyMap<string, readonly Json[]>;

const MAX_DEPTH = 6;
const DAYS = ['2026-01-05', '2026-03-01', '2026-12-31'];
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: DAYS,
  'date-time': ['2026-01-05T08:00:00Z', '2026-03-01T10:00:00.123+01:00'],
  email: ['somebody@example.com', 'a@b.example'],
  uuid: ['7f9f0e6a-3b1f-4d6e-9d38-1df7b2a6a001'],
  uri: ['https://example.com/x', 'urn:example:1'],
};

/** Edge cases of valid form, on which calculations may fail. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  date: ['0000-01-01', '0001-01-01', '0050-06-01', '1900-02-28', '9999-12-31', '2024-02-29'],
  'date-time': [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '0050-06-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-12:00',
    '2026-03-29T02:30:00+01:00',
  ],
};

/** Generates a value of the schema. If `known` has values for the name, it often uses one of them. */
export function generate(
  schema: Schema,
  random: Random,
  known: KnownValues,
  name = '',
  depth = 0,
  root = schema,
): Json {
  if (random.oneIn(40)) return oddValue(random);
  const good = known.get(name);
  if (good && !random.oneIn(4)) return structuredClone(random.pick(good));
  const within = (inner: unknown, as = name) =>
    depth > MAX_DEPTH ? null : generate(inner as Schema, random, known, as, depth + 1, root);
  if (typeof schema['$ref'] === 'string') return within(resolve(schema['$ref'], root));
  const either = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (either) return within(random.pick(either));
  const all = schema['allOf'] as Schema[] | undefined;
  if (all) return Object.assign({}, ...all.map((one) => within(one)).filter(isMembers)) as Json;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as Json[]);
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return objectOf(schema, random, within);
    case 'array': {
      const minItems = Number(schema['minItems'] ?? 0);
      const maxItems = Math.min(Number(schema['maxItems'] ?? 3), minItems + 3);
      const length = minItems + random.below(maxItems - minItems + 1);
      return Array.from({ length }, () => within(schema['items'] ?? {}));
    }
    case 'string':
      return textOf(schema, random);
    case 'integer':
    case 'number':
      return numberOf(schema, random);
    case 'boolean':
      return random.oneIn(2);
    case 'null':
      return null;
    default:
      return random.pick([{}, 'text', 1, null, ['x'], { a: 1 }] as Json[]);
  }
}

const isMembers = (value: Json): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const resolve = (pointer: string, root: Schema): unknown =>
  pointer
    .slice(2)
    .split('/')
    .filter(Boolean)
    .reduce<unknown>((at, key) => (at as Schema | undefined)?.[key], root) ?? {};

function objectOf(schema: Schema, random: Random, within: (inner: unknown, name: string) => Json): Json {
  const required = (schema['required'] ?? []) as readonly string[];
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).filter(
    ([name]) => required.includes(name) || random.oneIn(3),
  );
  return Object.fromEntries(members.map(([name, inner]) => [name, within(inner, name)]));
}

function numberOf(schema: Schema, random: Random): number {
  const minimum = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? -5);
  const maximum = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? Math.max(minimum, 0) + 1_000);
  if (random.oneIn(8)) return random.pick([minimum, maximum, minimum - 1, maximum + 1, 0]);
  const span = Math.min(maximum - minimum, 200);
  return schema['type'] === 'number' && random.oneIn(2)
    ? minimum + random.below(1_000) * (span / 1_000)
    : Math.ceil(minimum) + random.below(span + 1);
}

const samples = new Map<string, readonly string[]>();
/** Returns some texts that match a pattern, the same in every run. */
function samplesOf(pattern: string): readonly string[] {
  const made = samples.get(pattern);
  if (made) return made;
  let texts: readonly string[];
  try {
    texts = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 20, seed: 1 });
  } catch {
    // No texts can be generated for patterns with lookahead or lookbehind.
    texts = ['12', '1.5', 'abc-1', 'A1'];
  }
  samples.set(pattern, texts);
  return texts;
}

function textOf(schema: Schema, random: Random): string {
  const format = schema['format'];
  if (typeof format === 'string' && FORMATS[format])
    return random.pick(EDGES[format] && random.oneIn(4) ? EDGES[format] : FORMATS[format]);
  if (typeof schema['pattern'] === 'string') return random.pick(samplesOf(schema['pattern']));
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Number(schema['maxLength'] ?? 60);
  const length = random.oneIn(10)
    ? Math.min(random.pick([minLength, maxLength, maxLength + 1]), 5_000)
    : Math.min(maxLength, minLength + random.below(12));
  return random.pick(['abc ', 'Straße 5, ', '東京都', 'A-1/', '5 ']).repeat(length).slice(0, length);
}
