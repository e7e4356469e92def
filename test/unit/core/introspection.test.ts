/** N3: introspection is limited by the size of its result, and is computed once and off the main thread. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { buildSchema, execute, getIntrospectionQuery, Kind, parse, type FieldNode } from 'graphql';
import type { ApiError } from '../../../src/api/core/errors.js';
import { createDocuments } from '../../../src/api/graphql/documents.js';
import { introspectionSize } from '../../../src/api/graphql/introspection-size.js';
import { createIntrospection } from '../../../src/api/graphql/introspection.js';
import { LIMITS } from '../../../src/api/graphql/limits.js';

const schema = buildSchema(readFileSync('docs/schema.graphql', 'utf8'), { assumeValid: true });
const prepare = createDocuments(schema);
const STANDARD = getIntrospectionQuery();
const ALL_MEMBERS = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

const limitOf = (read: () => unknown): unknown => {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as ApiError).params['limit'];
  }
};
const refusedBy = (query: string, variables = {}): unknown => limitOf(() => prepare({ query, variables }));
const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');

/** Fields and list entries of a result. */
const sizeOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, one) => sum + (Array.isArray(value) && typeof one !== 'object' ? 0 : 1) + sizeOf(one),
        0,
      );

describe('N3: introspection', () => {
  describe('the size of a result', () => {
    const estimate = (query: string, variables = {}): number => {
      const { definitions } = parse(query);
      const fragments = new Map(
        definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
      );
      const [operation] = definitions.flatMap((node) => (node.kind === Kind.OPERATION_DEFINITION ? [node] : []));
      return introspectionSize(schema, operation!.selectionSet.selections[0] as FieldNode, fragments, variables, {
        max: 10_000_000,
        exceeded: () => new Error('exceeded'),
      });
    };

    for (const [name, query, variables] of [
      ['the query of common tools', STANDARD],
      ['the same with all members', ALL_MEMBERS],
      ['types of fields', '{ __schema { types { fields { type { ofType { name fields { name } } } } } } }'],
      ['a type', '{ __type(name: "Order") { name fields { name args { name } type { name } } } }'],
      ['a type of a variable', 'query($n: String!) { __type(name: $n) { fields { name } } }', { n: 'Query' }],
      ['directives', '{ __schema { directives { name args { name type { name } } } queryType { name } } }'],
      ['an unknown type', '{ __type(name: "Nothing") { fields { name } } }'],
    ] as const)
      it(`is at least that of the executed ${name}, and at most twice as much`, async () => {
        const { data, errors } = await execute({ schema, document: parse(query), variableValues: variables });
        expect(errors).to.equal(undefined);
        expect(estimate(query, variables)).to.be.within(sizeOf(data), 2 * sizeOf(data) + 10);
      });

    it('of the query of common tools is within the limit, with room for a larger schema', () =>
      expect(estimate(ALL_MEMBERS)).to.be.below(0.8 * LIMITS.introspection));
  });

  describe('a document', () => {
    it('has __schema once, also in fragments and under other names', () => {
      const types = '{ types { name } }';
      expect(refusedBy(`{ ${many(8, (index) => `a${index}: __schema ${types}`)} }`)).to.equal('schema_fields');
      expect(refusedBy(`{ __schema ${types} ...a } fragment a on Query { b: __schema ${types} }`)).to.equal(
        'schema_fields',
      );
      expect(refusedBy(`query A { __schema ${types} } query B { __schema ${types} }`)).to.equal('schema_fields');
      expect(refusedBy(`{ __schema ${types} }`)).to.equal(undefined);
    });

    it('has little introspection next to operations', () => {
      expect(refusedBy('{ me { result } __schema { types { name } } }')).to.equal(undefined);
      expect(refusedBy('{ me { result } __schema { types { name kind description } } }')).to.equal(
        'introspection_inline',
      );
      expect(
        refusedBy(
          'query($n: String!) { me { result } ...a } fragment a on Query { __type(name: $n) { fields { name args { name type { name ofType { name } } } } } }',
          { n: 'Query' },
        ),
      ).to.equal('introspection_inline');
    });

    it('is executed on the main thread only if its result is small', () => {
      const isLarge = (query: string) => prepare({ query }).isLargeIntrospection;
      expect(isLarge('{ __type(name: "Order") { name fields { name } } }')).to.equal(false);
      expect(isLarge('{ __typename }')).to.equal(false);
      expect(isLarge(STANDARD)).to.equal(true);
      expect(isLarge('{ __typename ... { __schema { types { fields { name } } } } }')).to.equal(true);
      const aliases = many(9, (index) => `a${index}: __type(name: "Query") { fields { name type { name } } }`);
      expect(isLarge(`{ ${aliases} }`)).to.equal(true);
    });

    it('has limited parts that validation compares with each other', () => {
      expect(refusedBy(`{ me { ${'result '.repeat(4_000)} } }`)).to.equal('repeated_fields');
      expect(refusedBy(`{ __schema { queryType { ${'fields { name } '.repeat(1_000)} } } }`)).to.equal(
        'repeated_fields',
      );
      expect(refusedBy(`{ me { ${'... { result } '.repeat(500)} } }`)).to.equal('repeated_fields');
      const fragments = (count: number) =>
        `{ me { ${many(count, (index) => `...F${index}`)} } } ${many(count, (index) => `fragment F${index} on MeResponse { result }`)}`;
      expect(refusedBy(fragments(400))).to.equal('fragments');
      expect(refusedBy(fragments(50))).to.equal(undefined);
      expect(refusedBy(`query(${many(500, (index) => `$v${index}: Int`)}) { me { result } }`)).to.equal('variables');
    });
  });

  describe('a large result', () => {
    const introspection = createIntrospection(() => schema);
    const answer = (query: string, client = 'a') => introspection.answer(prepare({ query }), client);
    const outcome = (query: string, client?: string) =>
      answer(query, client).then(
        () => 'answered',
        (error: ApiError) => `${error.code} ${error.headers['Retry-After'] ?? ''}`.trim(),
      );

    it('equals the result of the schema itself', async () => {
      for (const query of [STANDARD, ALL_MEMBERS]) {
        const expected = JSON.parse(JSON.stringify(await execute({ schema, document: parse(query) }))) as unknown;
        expect(JSON.parse((await answer(query)).body.toString())).to.deep.equal(expected);
      }
    });

    it('is computed once', async () => {
      const first = await answer(STANDARD);
      expect(await answer(STANDARD, 'b')).to.equal(first);
      expect(await answer(`${STANDARD} `, 'b')).to.not.equal(first);
    });

    it('over the limit is refused', async () => {
      const query = `{ __schema { ${many(9, (index) => `a${index}: types { fields { name description type { name kind } args { name } } }`)} } }`;
      expect(await outcome(query)).to.equal('QUERY_TOO_COMPLEX');
      expect(await outcome(STANDARD), 'the thread continues').to.equal('answered');
    });

    it('waits behind those of the same client: more than five at a time get 429 with Retry-After', async () => {
      const variants = (client: string, count: number) =>
        Array.from({ length: count }, (_, index) => outcome(`#${client} ${index}\n${STANDARD}`, client));
      const flood = variants('flood', 12);
      const other = variants('other', 1);
      expect(await Promise.all(flood)).to.deep.equal([
        ...Array<string>(5).fill('answered'),
        ...Array<string>(7).fill('RATE_LIMITED 1'),
      ]);
      expect(await Promise.all(other)).to.deep.equal(['answered']);
    });
  });
});
