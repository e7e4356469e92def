/**
 * Calls an operation over REST and over GraphQL, based on its definition. The GraphQL document selects all available
 * fields, except objects of relations: test/api/core/expand.test.ts selects these.
 */
import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { expect } from 'chai';
import type { Operation, Relation } from '../../../src/api/core/operation.js';
import { isRelation } from '../../../src/api/graphql/relations.js';
import type { Input } from '../access/table.js';
import { graphql } from './graphql.js';
import { call, expectGuarded } from './http.js';

export interface OperationResponse {
  readonly status: number;
  readonly code: string | undefined;
  /** The response data, or the errors. */
  readonly body: unknown;
  readonly text: string;
  /** Over REST alone. */
  readonly etag?: string | null;
}

/** Converts to camelCase by the rule of docs/graphql.md; an independent second implementation. */
export const toCamelCase = (name: string): string =>
  name
    .replace(/^([A-Z]+)_/, (all) => all.toLowerCase())
    .split('_')
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

/** Public responses that caches may store. */
const HASHES = ['auditLatestHead', 'auditLogCheckpoint', 'auditLogTile'];

/** Member of an input that is the whole body of an upload, as text. */
export const UPLOAD = '$upload';

export async function overRest(
  url: string,
  { name, rest }: Operation,
  input: Input,
  key: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<OperationResponse> {
  const remaining = { ...input };
  const path = rest.path.replace(/[:*](\w+)/g, (all, member: string) => {
    const value = String(remaining[member]);
    delete remaining[member];
    return all.startsWith('*') ? value : encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  const hasBody = rest.method === 'post' || rest.method === 'put' || rest.method === 'patch';
  for (const [member, value] of Object.entries(remaining)) {
    if (hasBody && !rest.query?.includes(member)) continue;
    query.append(member, String(value));
    delete remaining[member];
  }
  const { [UPLOAD]: upload } = remaining;
  const answer = await call(`${url}/api${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: rest.method.toUpperCase(),
    key,
    headers: { ...(upload !== undefined && { 'content-type': rest.consumes![0]! }), ...headers },
    ...(hasBody && { body: upload ?? (rest.body === undefined ? remaining : remaining[rest.body]) }),
  });
  expectGuarded(answer.headers, key !== undefined && !(HASHES.includes(name) && answer.status === 200));
  return {
    status: answer.status,
    code: answer.status >= 400 ? answer.json?.code : undefined,
    body: answer.json ?? answer.text,
    text: answer.text,
    etag: answer.headers.get('etag'),
  };
}

/**
 * Returns the document that calls the operation, with its variables. It selects all fields; of relations it selects
 * those of the resource.
 */
export function documentOf(
  schema: GraphQLSchema,
  operation: Operation,
  input: Input,
  relations: readonly Pick<Relation, 'name'>[] = [],
): { query: string; variables: Record<string, unknown> } {
  const field = fieldOf(schema, operation);
  const args = Object.entries(input).map(([name, value]) => ({
    name: toCamelCase(name),
    value,
    type: field.args.find((arg) => arg.name === toCamelCase(name))?.type,
  }));
  for (const { name, type } of args) expect(type, `${operation.name} has the argument ${name}`).to.not.equal(undefined);
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const query = `${operation.writes ? 'mutation' : 'query'} ${declared && `(${declared})`} { ${field.name} ${args.length > 0 ? `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})` : ''} ${selectionOf(field.type, relations)} }`;
  const variables = Object.fromEntries(
    args.map(({ name, value, type }) => [name, /^\[*JSON/.test(String(type)) ? value : withCamelCaseNames(value)]),
  );
  return { query, variables };
}

export async function overGraphQL(
  url: string,
  schema: GraphQLSchema,
  operation: Operation,
  input: Input,
  key: string | undefined,
  relations: readonly Relation[] = [],
): Promise<OperationResponse> {
  const { query, variables } = documentOf(schema, operation, input, relations);
  const { status, data, errors } = await graphql(url, query, { key, variables });
  const error = errors?.[0]?.extensions;
  return {
    status: error ? error.status : status,
    code: error?.code,
    body: data?.[operation.name],
    text: JSON.stringify(data ?? errors),
  };
}

/** Members that may change between two calls, because a job may start or end in the meantime. */
const VARYING_MEMBERS: ReadonlySet<string> = new Set(['startedAt', 'finishedAt']);

/**
 * Checks that both responses are equal: every member of one is in the other under its name there. `varies`: members
 * whose values differ between calls.
 */
export function expectSame(
  operation: Operation,
  schema: GraphQLSchema,
  rest: unknown,
  graphqlBody: unknown,
  varies: readonly string[] = [],
): void {
  expectSameValue(fieldOf(schema, operation).type, rest, graphqlBody, varies.includes('*'), operation.name);

  function expectSameValue(type: GraphQLOutputType, one: unknown, other: unknown, loose: boolean, place: string): void {
    if (one === null || one === undefined) return void expect(other, place).to.equal(null);
    const inner = getNullableType(type);
    if (isListType(inner)) {
      expect(other, place).to.be.an('array');
      if (!loose) expect((other as unknown[]).length, place).to.equal((one as unknown[]).length);
      if (!loose)
        (one as unknown[]).forEach((item, index) =>
          expectSameValue(
            inner.ofType as GraphQLOutputType,
            item,
            (other as unknown[])[index],
            loose,
            `${place}[${index}]`,
          ),
        );
    } else if (isObjectType(inner)) {
      const names = new Map(Object.keys(one).map((name) => [toCamelCase(name), name]));
      const fields = inner.getFields();
      expect(
        [...names.keys()].filter((name) => !(name in fields)),
        `${place}: members that GraphQL does not know`,
      ).to.deep.equal([]);
      for (const field of Object.values(fields)) {
        if (isRelation(field)) continue;
        const { name, type: member } = field;
        const restName = names.get(name);
        const isLoose = loose || varies.includes(restName ?? name);
        if (isLoose && VARYING_MEMBERS.has(name)) continue;
        expectSameValue(
          member,
          restName === undefined ? undefined : (one as Record<string, unknown>)[restName],
          (other as Record<string, unknown>)[name],
          isLoose,
          `${place}.${name}`,
        );
      }
    } else if (loose) expect(typeof other, place).to.equal(typeof one);
    else if (typeof one === 'string' && typeof other === 'object')
      expect(Buffer.from((other as { base64: string }).base64, 'base64').toString(), place).to.equal(one);
    else if (typeof one === 'object') expect(withoutVarying(other), place).to.deep.equal(withoutVarying(one));
    else expect(other, place).to.equal(one);
  }

  function withoutVarying(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withoutVarying);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        varies.includes(name) ? typeof member : withoutVarying(member),
      ]),
    );
  }
}

function fieldOf(schema: GraphQLSchema, { name, writes }: Operation): GraphQLField<unknown, unknown> {
  const field = (writes ? schema.getMutationType() : schema.getQueryType())!.getFields()[name];
  expect(field, `${name} is a field of ${writes ? 'Mutation' : 'Query'}`).to.not.equal(undefined);
  return field!;
}

/** `relations`: selected at the level of the resource alone. */
function selectionOf(type: GraphQLOutputType, relations: readonly Pick<Relation, 'name'>[], depth = 0): string {
  const named = getNamedType(type);
  const wanted = depth === 1 ? relations.map(({ name }) => toCamelCase(name)) : [];
  return isObjectType(named)
    ? `{ ${Object.values(named.getFields())
        .filter((field) => !isRelation(field) || wanted.includes(field.name))
        .map((field) => `${field.name} ${selectionOf(field.type, isRelation(field) ? [] : relations, depth + 1)}`)
        .join(' ')} }`
    : '';
}

function withCamelCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCamelCaseNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toCamelCase(name), withCamelCaseNames(member)]),
  );
}
