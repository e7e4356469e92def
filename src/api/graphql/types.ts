/** type-graphql classes created from zod schemas: its decorators are called as functions. */
import 'reflect-metadata';
import type { GraphQLScalarType } from 'graphql';
import { GraphQLBoolean, GraphQLFloat, GraphQLInt, GraphQLString } from 'graphql';
import { GraphQLJSON, GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType, ObjectType, type ClassType } from 'type-graphql';
import type { z } from 'zod';
import { pascalCase } from './names.js';
import type { Direction, Shape } from './shapes.js';

/** The type arguments of type-graphql: a class or scalar, or a list as an array with one element. */
export type TypeRef = ClassType | GraphQLScalarType | [TypeRef];

const SCALARS = {
  string: GraphQLString,
  boolean: GraphQLBoolean,
  float: GraphQLFloat,
  int: GraphQLInt,
  safeInt: GraphQLSafeInt,
  json: GraphQLJSON,
} as const;

/** The types of one schema. Each zod object becomes one class, named by its `id` or by the place of its first use. */
export class Types {
  readonly #classes = { input: new Map<z.ZodObject, ClassType>(), output: new Map<z.ZodObject, ClassType>() };
  readonly #names = new Set<string>(['Query', 'Mutation', 'Subscription']);

  /** `place` names the type if its schema has no `id`. */
  of(shape: Shape, direction: Direction, place: string): TypeRef {
    if (shape.kind === 'list') return [this.of(shape.of, direction, place)];
    return shape.kind === 'object' ? this.#classOf(shape, direction, place) : SCALARS[shape.kind];
  }

  /** The types of responses that were made so far. */
  outputs(): readonly (readonly [z.ZodObject, ClassType])[] {
    return [...this.#classes.output];
  }

  #classOf({ schema: found, members }: Shape & { kind: 'object' }, direction: Direction, place: string): ClassType {
    const schema = namedOf(found);
    const known = this.#classes[direction].get(schema);
    if (known) return known;
    const { id, description } = metaOf(schema);
    const base = pascalCase(id ?? place);
    const name = this.#nameFor(direction === 'input' && !base.endsWith('Input') ? `${base}Input` : base);
    const made = { [name]: class {} }[name] as ClassType;
    // Registered before its members are created, because a member may refer to it.
    this.#classes[direction].set(schema, made);
    const options = { ...(description !== undefined && { description }) };
    (direction === 'input' ? InputType : ObjectType)(name, options)(made);
    for (const { name: member, graphqlName, shape, nullable, description } of members()) {
      const type = this.of(shape, direction, `${place}_${member}`);
      // A field of a response reads the member by its REST name; an input arrives under its GraphQL name.
      Field(() => type, {
        name: graphqlName,
        ...nullability(shape, nullable),
        ...(description !== undefined && { description }),
      })(made.prototype as object, direction === 'input' ? graphqlName : member);
    }
    return made;
  }

  #nameFor(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#names.has(name); count++) name = `${wanted}${count}`;
    this.#names.add(name);
    return name;
  }
}

const metaOf = (schema: z.ZodType) => (schema.meta() ?? {}) as { readonly id?: string; readonly description?: string };

/** The schema with an `id` from which `found` was derived by adding a description, or `found` itself. */
function namedOf(found: z.ZodObject): z.ZodObject {
  for (let schema: z.ZodType | undefined = found; schema; schema = schema._zod.parent as z.ZodType | undefined)
    if (metaOf(schema).id !== undefined) return schema as z.ZodObject;
  return found;
}

/** `nullable` in the form of type-graphql. */
export function nullability(
  shape: Shape,
  nullable: boolean,
): { readonly nullable: boolean | 'items' | 'itemsAndList' } {
  if (shape.kind !== 'list' || !shape.nullable) return { nullable };
  return { nullable: nullable ? 'itemsAndList' : 'items' };
}
