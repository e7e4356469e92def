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
import type { Dice } from './dice.js';
import type { Known } from './generate.js';
import { oddValue, PROTOTYPE_NAMES, spoil, type Json } from './odd.js';
import { bodyOf, oddHeaders, packed, type Shot, type Surface } from './request.js';

const DEEPEST = 4;
type Kind = 'query' | 'mutation' | 'subscription';
type Field = GraphQLField<unknown, unknown>;

/** `known`: valid values by GraphQL names. */
export function graphqlSurface(
  schema: GraphQLSchema,
  { known, callers }: { known: Known; callers: readonly (string | undefined)[] },
): Surface {
  const fields = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    Object.values(rootOf(schema, kind)?.getFields() ?? {}).map((field) => ({ kind, field: field as Field })),
  );

  return (dice) => {
    const { kind, field } = dice.pick(fields);
    const caller = dice.pick(callers);
    const streamed = kind === 'subscription' ? !dice.once(5) : dice.once(60);
    const value = dice.once(30) ? oddValue(dice) : request(dice, kind, field);
    const shot: Shot = {
      name: `graphql ${field.name}`,
      method: dice.once(60) ? dice.pick(['GET', 'PUT', 'OPTIONS', 'HEAD']) : 'POST',
      path: `/api/graphql${dice.once(60) ? '?query={__typename}' : ''}`,
      caller,
      headers: {
        'content-type': 'application/json',
        ...(streamed && { accept: 'text/event-stream' }),
        ...oddHeaders(dice),
      },
      body: bodyOf(value, dice),
    };
    return packed(shot, dice);
  };

  function request(dice: Dice, kind: Kind, field: Field): Json {
    const variables: Record<string, Json> = {};
    const declared: string[] = [];
    const given = field.args
      .filter(({ type }) => isNonNullType(type) || dice.once(2))
      .map(({ name, type }) => {
        const value = valueOf(type, dice, known, name);
        if (dice.once(3)) return `${name}: ${literal(value)}`;
        variables[name] = value;
        declared.push(`$${name}: ${dice.once(12) ? dice.pick(['Int!', '[String]', 'Nothing']) : String(type)}`);
        return `${name}: $${name}`;
      });
    const call = `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${selection(field.type, dice)}`;
    const text = `${kind} Q${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${call} }`;
    const query = dice.once(4) ? twisted(text, call, dice) : text;
    const whole = { query, variables: dice.once(6) ? spoil(variables, dice) : variables };
    if (dice.once(8)) Object.assign(whole, { operationName: dice.pick(['Q', 'X', '', '__proto__', null]) });
    return dice.once(12) ? spoil(whole, dice) : whole;
  }
}

const rootOf = (schema: GraphQLSchema, kind: Kind) =>
  kind === 'query'
    ? schema.getQueryType()
    : kind === 'mutation'
      ? schema.getMutationType()
      : schema.getSubscriptionType();

function valueOf(type: GraphQLInputType, dice: Dice, known: Known, name: string, depth = 0): Json {
  if (dice.once(25)) return oddValue(dice);
  if (isNonNullType(type)) return valueOf(type.ofType as GraphQLInputType, dice, known, name, depth);
  const good = known.get(name);
  if (good && !dice.once(4)) return structuredClone(dice.pick(good));
  if (isListType(type))
    return Array.from({ length: dice.below(3) }, () =>
      valueOf(type.ofType as GraphQLInputType, dice, known, name, depth + 1),
    );
  if (isInputObjectType(type))
    return depth > DEEPEST
      ? {}
      : Object.fromEntries(
          Object.values(type.getFields())
            .filter((field) => isNonNullType(field.type) || dice.once(3))
            .map((field) => [field.name, valueOf(field.type, dice, known, field.name, depth + 1)]),
        );
  switch (getNamedType(type).name) {
    case 'Int':
    case 'SafeInt':
      return dice.pick([0, 1, 2, 50, -1, 2 ** 31, 2 ** 53]);
    case 'Float':
      return dice.pick([0, 52.5, -13.4, 1e9]);
    case 'Boolean':
      return dice.once(2);
    case 'String':
      return dice.pick(['x', '', '2026-03-01', '2026-03-01T10:00:00Z', 'NEW_ORDER', 'D', 'otep', 'pdf', 'a@b.example']);
    default:
      return dice.pick([{}, [], 'x', { type: 'EPCISDocument' }, null] as Json[]);
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

function selection(type: GraphQLOutputType, dice: Dice, depth = 0): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(() => depth < DEEPEST && dice.once(3));
  return `{ __typename ${fields.map((field) => `${field.name} ${selection(field.type, dice, depth + 1)}`).join(' ')} }`;
}

/** Returns the document with a modification, which may be valid or invalid. */
function twisted(text: string, call: string, dice: Dice): string {
  const many = dice.pick([2, 20, 300]);
  switch (dice.below(13)) {
    case 0:
      return text.replace(call, Array.from({ length: many }, (_, index) => `a${index}: ${call}`).join(' '));
    case 1:
      return `${text} fragment F on Query { ...G } fragment G on Query { ...F }`.replace('{', '{ ...F ');
    case 2:
      return `{ ${'__schema { types { fields { type { '.repeat(dice.pick([1, 3, 50]))} name`;
    case 3:
      return text.replace('{', `{ ${dice.pick(PROTOTYPE_NAMES)} `);
    case 4:
      return text.replace(
        '__typename',
        `__typename @${dice.pick(['skip(if: true)', 'include', 'deprecated', 'x(a: [{}])'])}`,
      );
    case 5:
      return text.slice(0, dice.below(text.length));
    case 6:
      return `{ otepTracking(trackingNumber: ${dice.pick(['[', '{a:', '{a:[', '"', '"""']).repeat(dice.pick([10, 900, 2_900]))}`;
    case 7:
      return '{a'.repeat(dice.pick([5, 200, 2_490]));
    case 8:
      return `${text} ${text}`;
    case 9:
      return text.replace('Q', 'Q @x($v: [[[Int!]!]!]! = [[[{}]]])');
    case 10:
      return `query Q(${Array.from({ length: many }, (_, index) => `$v${index}: Int`).join(' ')}) { __typename }`;
    case 11:
      return text.replace(/[({]/, dice.pick(['\u0000', '\ud800', '\ufeff', '#', '$', '...', '!', '&']));
    default:
      return dice.pick([
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
