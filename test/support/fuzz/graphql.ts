/** GraphQL documents generated from the schema itself, and documents that no schema allows. */
import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from './random.js';
import type { KnownValues } from './generate.js';
import { oddValue, PROTOTYPE_NAMES, mutate, type Json } from './unusual-values.js';
import { bodyOf, oddHeaders, packed, type FuzzRequest, type RequestGenerator } from './request.js';

const MAX_DEPTH = 4;
type Kind = 'query' | 'mutation' | 'subscription';
type Field = GraphQLField<unknown, unknown>;

/** `known`: valid values by GraphQL names. */
export function graphqlRequests(
  schema: GraphQLSchema,
  { known, callers }: { known: KnownValues; callers: readonly (string | undefined)[] },
): RequestGenerator {
  const fields = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    Object.values(rootOf(schema, kind)?.getFields() ?? {}).map((field) => ({ kind, field: field as Field })),
  );

  return (random) => {
    const { kind, field } = random.pick(fields);
    const caller = random.pick(callers);
    const streamed = kind === 'subscription' ? !random.oneIn(5) : random.oneIn(60);
    const value = random.oneIn(30) ? oddValue(random) : request(random, kind, field);
    const fuzzRequest: FuzzRequest = {
      name: `graphql ${field.name}`,
      method: random.oneIn(60) ? random.pick(['GET', 'PUT', 'OPTIONS', 'HEAD']) : 'POST',
      path: `/api/graphql${random.oneIn(60) ? '?query={__typename}' : ''}`,
      caller,
      headers: {
        'content-type': 'application/json',
        ...(streamed && { accept: 'text/event-stream' }),
        ...oddHeaders(random),
      },
      body: bodyOf(value, random),
    };
    return packed(fuzzRequest, random);
  };

  function request(random: Random, kind: Kind, field: Field): Json {
    const variables: Record<string, Json> = {};
    const declared: string[] = [];
    const given = field.args
      .filter(({ type }) => isNonNullType(type) || random.oneIn(2))
      .map(({ name, type }) => {
        const value = valueOf(type, random, known, name);
        if (random.oneIn(3)) return `${name}: ${literal(value)}`;
        variables[name] = value;
        declared.push(`$${name}: ${random.oneIn(12) ? random.pick(['Int!', '[String]', 'Nothing']) : String(type)}`);
        return `${name}: $${name}`;
      });
    const call = `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${selection(field.type, random)}`;
    const text = `${kind} Q${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${call} }`;
    const query = random.oneIn(4) ? mutateQuery(text, call, random) : text;
    const whole = { query, variables: random.oneIn(6) ? mutate(variables, random) : variables };
    if (random.oneIn(8)) Object.assign(whole, { operationName: random.pick(['Q', 'X', '', '__proto__', null]) });
    return random.oneIn(12) ? mutate(whole, random) : whole;
  }
}

const rootOf = (schema: GraphQLSchema, kind: Kind) =>
  kind === 'query'
    ? schema.getQueryType()
    : kind === 'mutation'
      ? schema.getMutationType()
      : schema.getSubscriptionType();

function valueOf(type: GraphQLInputType, random: Random, known: KnownValues, name: string, depth = 0): Json {
  if (random.oneIn(25)) return oddValue(random);
  if (isNonNullType(type)) return valueOf(type.ofType as GraphQLInputType, random, known, name, depth);
  const good = known.get(name);
  if (good && !random.oneIn(4)) return structuredClone(random.pick(good));
  if (isListType(type))
    return Array.from({ length: random.below(3) }, () =>
      valueOf(type.ofType as GraphQLInputType, random, known, name, depth + 1),
    );
  if (isInputObjectType(type))
    return depth > MAX_DEPTH
      ? {}
      : Object.fromEntries(
          Object.values(type.getFields())
            .filter((field) => isNonNullType(field.type) || random.oneIn(3))
            .map((field) => [field.name, valueOf(field.type, random, known, field.name, depth + 1)]),
        );
  switch (getNamedType(type).name) {
    case 'Int':
    case 'SafeInt':
      return random.pick([0, 1, 2, 50, -1, 2 ** 31, 2 ** 53]);
    case 'Float':
      return random.pick([0, 52.5, -13.4, 1e9]);
    case 'Boolean':
      return random.oneIn(2);
    case 'String':
      return random.pick([
        'x',
        '',
        '2026-03-01',
        '2026-03-01T10:00:00Z',
        'NEW_ORDER',
        'D',
        'otep',
        'pdf',
        'a@b.example',
      ]);
    default:
      return random.pick([{}, [], 'x', { type: 'EPCISDocument' }, null] as Json[]);
  }
}

/** Writes a value as a GraphQL literal: names without quotes. */
function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${name.replace(/\W/g, '_') || '_'}: ${literal(member)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? 'null';
}

function selection(type: GraphQLOutputType, random: Random, depth = 0): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(() => depth < MAX_DEPTH && random.oneIn(3));
  return `{ __typename ${fields.map((field) => `${field.name} ${selection(field.type, random, depth + 1)}`).join(' ')} }`;
}

/** Returns the document with a modification, which may be valid or invalid. */
function mutateQuery(text: string, call: string, random: Random): string {
  const many = random.pick([2, 20, 300]);
  switch (random.below(13)) {
    case 0:
      return text.replace(call, Array.from({ length: many }, (_, index) => `a${index}: ${call}`).join(' '));
    case 1:
      return `${text} fragment F on Query { ...G } fragment G on Query { ...F }`.replace('{', '{ ...F ');
    case 2:
      return `{ ${'__schema { types { fields { type { '.repeat(random.pick([1, 3, 50]))} name`;
    case 3:
      return text.replace('{', `{ ${random.pick(PROTOTYPE_NAMES)} `);
    case 4:
      return text.replace(
        '__typename',
        `__typename @${random.pick(['skip(if: true)', 'include', 'deprecated', 'x(a: [{}])'])}`,
      );
    case 5:
      return text.slice(0, random.below(text.length));
    case 6:
      return `{ otepTracking(trackingNumber: ${random.pick(['[', '{a:', '{a:[', '"', '"""']).repeat(random.pick([10, 900, 2_900]))}`;
    case 7:
      return '{a'.repeat(random.pick([5, 200, 2_490]));
    case 8:
      return `${text} ${text}`;
    case 9:
      return text.replace('Q', 'Q @x($v: [[[Int!]!]!]! = [[[{}]]])');
    case 10:
      return `query Q(${Array.from({ length: many }, (_, index) => `$v${index}: Int`).join(' ')}) { __typename }`;
    case 11:
      return text.replace(/[({]/, random.pick(['\u0000', '\ud800', '\ufeff', '#', '$', '...', '!', '&']));
    default:
      return random.pick([
        '',
        '{',
        '}',
        'query',
        '#',
        '{ }',
        'type Query { a: Int }',
        '{ __type(name: "__proto__") { name } }',
      ]);
  }
}
