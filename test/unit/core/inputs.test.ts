/** Inputs of operations, over every interface. */
import { expect } from 'chai';
import { z } from 'zod';
import { sourceOfOperation } from '../../support/checks/source-locations.js';
import { PATTERN_FORMATS } from '../../../src/api/core/pattern-formats.js';
import { checkInput } from '../../../src/api/core/check-input.js';
import { formatOf } from '../../../src/events/core/format.js';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { checkedOrder } from '../../../src/api/areas/orders/input.js';
import type { ApiError } from '../../../src/api/core/errors.js';

interface Node {
  readonly type?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
}

/** Paths of the objects that would silently drop an unknown member. */
function open({ properties, items, anyOf = [], $defs = {}, additionalProperties }: Node, path: string): string[] {
  return [
    ...(properties && additionalProperties === undefined ? [path] : []),
    ...Object.entries({ ...properties, ...$defs }).flatMap(([name, member]) => open(member, `${path}/${name}`)),
    ...(items ? open(items, `${path}/*`) : []),
    ...anyOf.flatMap((way) => open(way, path)),
  ];
}

/** A schema with a form of its own needs no words for its pattern. */
function withoutFormed({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  if (formatOf(zodSchema) !== undefined) delete (jsonSchema as { pattern?: string }).pattern;
}

/** The regular expressions of texts, except expressions of formats that have a name. */
const patterns = (node: Node): string[] => [
  ...(node.pattern !== undefined && node.format === undefined ? [node.pattern] : []),
  ...Object.values({ ...node.properties, ...node.$defs }).flatMap(patterns),
  ...(node.items ? patterns(node.items) : []),
  ...(node.anyOf ?? []).flatMap(patterns),
];

describe('inputs of operations', () => {
  it('drop no member silently, at any depth', () => {
    const found = describeOperations().flatMap(({ name, input }) =>
      open(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Node, name),
    );
    const sentences = found.map(
      (path) => `${sourceOfOperation(path.split('/')[0]!)}: ${path} drops unknown members. Use z.strictObject()`,
    );
    expect(found, sentences.join('\n')).to.deep.equal([]);
  });

  it('explain each of their patterns in words', () => {
    const found = describeOperations().flatMap(({ name, input }) =>
      patterns(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: withoutFormed }) as Node).map(
        (one) => `${name}: ${one}`,
      ),
    );
    const without = found.filter((one) => !Object.hasOwn(PATTERN_FORMATS, one.slice(one.indexOf(': ') + 2)));
    expect(without, 'give these patterns words in src/api/core/pattern-formats.ts').to.deep.equal([]);
  });

  it('name an unknown member', () => {
    const order = {
      type: 'D',
      delivery: { name: 'Ada', street: '1 Main St', city: 'Toronto', country: 'CA', zip: 'M5V' },
      packages: [{ wieght: 2 }],
      colour: 'red',
    };
    const refused = (check: () => unknown): ApiError['errors'] => {
      try {
        check();
        return [];
      } catch (error) {
        return (error as ApiError).errors;
      }
    };
    const create = describeOperations().find(({ name }) => name === 'orderCreate')!;
    for (const check of [() => checkInput(create, order), () => checkedOrder(order)]) {
      expect(refused(check).map(({ field, path, code }) => [field, path, code])).to.have.deep.members([
        ['zip', '/delivery/zip', 'UNKNOWN_FIELD'],
        ['wieght', '/packages/0/wieght', 'UNKNOWN_FIELD'],
        ['colour', '/colour', 'UNKNOWN_FIELD'],
      ]);
    }
  });

  it('name an invisible member by its parent, shorten a long one, and list at most a hundred', () => {
    const faults = (raw: unknown): { field: string; path: string }[] => {
      try {
        checkInput({ input: z.strictObject({ inner: z.strictObject({}).optional() }) }, raw);
        throw new Error('It was taken.');
      } catch (error) {
        return (error as ApiError).errors!.map(({ field, path }) => ({ field, path }));
      }
    };
    expect(faults({ '': 1, ' ': 1 })).to.deep.equal([
      { field: 'body', path: '/' },
      { field: 'body', path: '/ ' },
    ]);
    expect(faults({ inner: { ['x'.repeat(300)]: 1, 'a/b': 1 } })).to.deep.equal([
      { field: `${'x'.repeat(63)}…`, path: '/inner' },
      { field: 'a/b', path: '/inner/a~1b' },
    ]);
    expect(faults(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`m${n}`, n])))).to.have.length(100);
  });
});
