/**
 * The GraphQL type of a zod schema: a scalar, a list, an object, or JSON if GraphQL has no equivalent (unions, records,
 * open objects, anything). Enums are strings, as in the whole interface: their values are the REST values, and not all
 * are valid GraphQL names.
 */
import type { z } from 'zod';
import { camelCase } from './names.js';

export type Direction = 'input' | 'output';

export type Shape =
  | { readonly kind: 'string' | 'boolean' | 'float' | 'int' | 'safeInt' | 'json' }
  | { readonly kind: 'list'; readonly of: Shape; readonly nullable: boolean }
  | { readonly kind: 'object'; readonly schema: z.ZodObject; readonly members: () => readonly Member[] };

export interface Member {
  /** Name in REST and in the operation. */
  readonly name: string;
  readonly graphqlName: string;
  readonly shape: Shape;
  /** May be null or absent. */
  readonly nullable: boolean;
  readonly description: string | undefined;
}

const INT32 = 2 ** 31 - 1;
const OPTIONAL = new Set(['optional', 'default', 'prefault', 'catch']);
const TRANSPARENT = new Set(['optional', 'default', 'prefault', 'nullable', 'readonly', 'catch', 'nonoptional']);

/** The parts of zod's definitions that are read here. */
interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly catchall?: z.ZodType;
  readonly values?: readonly unknown[];
  readonly defaultValue?: unknown;
}

const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

interface Bare {
  readonly schema: z.ZodType;
  readonly nullable: boolean;
  readonly description: string | undefined;
}

/** The schema without wrappers that only make it optional or nullable. */
function bare(schema: z.ZodType, direction: Direction): Bare {
  const { type, innerType, getter, options, ...definition } = definitionOf(schema);
  const under = (inner: z.ZodType, nullable: boolean): Bare => {
    const found = bare(inner, direction);
    return {
      schema: found.schema,
      nullable: nullable || found.nullable,
      description: schema.description ?? found.description,
    };
  };
  if (type === 'lazy') return under(getter!(), false);
  if (type === 'pipe') return under(direction === 'input' ? definition.in! : definition.out!, false);
  if (TRANSPARENT.has(type))
    return under(
      innerType!,
      type === 'nullable' || (OPTIONAL.has(type) && (direction === 'input' || type === 'optional')),
    );
  if (type === 'union') {
    const others = options!.filter((option) => definitionOf(option).type !== 'null');
    if (others.length === 1 && others.length < options!.length) return under(others[0]!, true);
  }
  return { schema, nullable: ['unknown', 'any', 'null', 'undefined'].includes(type), description: schema.description };
}

/** The shape of a schema, and whether it may be null. */
export function shapeOf(whole: z.ZodType, direction: Direction): { readonly shape: Shape; readonly nullable: boolean } {
  const { schema, nullable } = bare(whole, direction);
  return { shape: shapeOfBare(schema, direction), nullable };
}

function shapeOfBare(schema: z.ZodType, direction: Direction): Shape {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'string':
    case 'enum':
    case 'template_literal':
      return { kind: 'string' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'literal':
      return { kind: literalKind(definition.values!) };
    case 'number':
      return { kind: numberKind(schema as z.ZodNumber) };
    case 'array': {
      const { shape, nullable } = shapeOf(definition.element!, direction);
      return { kind: 'list', of: shape, nullable };
    }
    case 'object': {
      const object = schema as z.ZodObject;
      const open = definition.catchall !== undefined && definitionOf(definition.catchall).type !== 'never';
      // GraphQL does not allow an object without fields.
      return open || Object.keys(object.shape).length === 0
        ? { kind: 'json' }
        : { kind: 'object', schema: object, members: () => membersOf(object, direction) };
    }
    default:
      return { kind: 'json' };
  }
}

function literalKind(values: readonly unknown[]): 'string' | 'boolean' | 'json' {
  const types = new Set(values.map((value) => typeof value));
  return types.size === 1 && types.has('string')
    ? 'string'
    : types.size === 1 && types.has('boolean')
      ? 'boolean'
      : 'json';
}

function numberKind({ minValue, maxValue, format }: z.ZodNumber): 'int' | 'safeInt' | 'float' {
  if (format !== 'safeint' && format !== 'int32' && format !== 'uint32') return 'float';
  return maxValue !== null && maxValue <= INT32 && minValue !== null && minValue >= -INT32 ? 'int' : 'safeInt';
}

/** The members of an object with their GraphQL names. */
export function membersOf(object: z.ZodObject, direction: Direction): Member[] {
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { schema: inner, description } = bare(schema, direction);
    const { shape, nullable } = shapeOf(schema, direction);
    return {
      name,
      graphqlName: camelCase(name),
      shape,
      nullable,
      description: describe(description, inner, direction === 'input' ? defaultOf(schema) : undefined),
    };
  });
}

function defaultOf(schema: z.ZodType): unknown {
  const { type, defaultValue, innerType } = definitionOf(schema);
  if (type === 'default') return typeof defaultValue === 'function' ? (defaultValue as () => unknown)() : defaultValue;
  return innerType && TRANSPARENT.has(type) ? defaultOf(innerType) : undefined;
}

/** Adds the allowed values and the default to the description, because the GraphQL type does not contain them. */
function describe(description: string | undefined, schema: z.ZodType, defaultValue: unknown): string | undefined {
  const values = definitionOf(schema).type === 'enum' ? (schema as z.ZodEnum).options : [];
  const parts = [
    description,
    values.length > 0 && `One of ${values.join(', ')}.`,
    defaultValue !== undefined && `Default: ${JSON.stringify(defaultValue)}.`,
  ];
  return parts.filter(Boolean).join(' ') || undefined;
}
