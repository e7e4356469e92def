/** type-graphql classes made from zod schemas: its decorators, called as functions. */
import 'reflect-metadata';
import type { GraphQLScalarType } from 'graphql';
import { GraphQLBoolean, GraphQLFloat, GraphQLInt, GraphQLString } from 'graphql';
import { GraphQLJSON, GraphQLSafeInt } from 'graphql-scalars';
import { Field, InputType, ObjectType, type ClassType } from 'type-graphql';
import type { z } from 'zod';
import { pascalCase } from './names.js';
import type { Direction, Shape } from './shapes.js';

/** What type-graphql takes for a type: a class or scalar, or a list of such in an array of one. */
export type TypeRef = ClassType | GraphQLScalarType | [TypeRef];

const SCALARS = {
  string: GraphQLString,
  boolean: GraphQLBoolean,
  float: GraphQLFloat,
  int: GraphQLInt,
  safeInt: GraphQLSafeInt,
  json: GraphQLJSON,
} as const;

/** The types of one schema: each zod object becomes one class, named by its `id` or by where it occurs first. */
export class Types {
  readonly #classes = { input: new Map<z.ZodObject, ClassType>(), output: new Map<z.ZodObject, ClassType>() };
  readonly #names = new Set<string>(['Query', 'Mutation', 'Subscription']);

  /** `place` names the type where its schema has no name of its own. */
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
    // Before its members: one of them may lead back to it.
    this.#classes[direction].set(schema, made);
    const options = { ...(description !== undefined && { description }) };
    (direction === 'input' ? InputType : ObjectType)(name, options)(made);
    for (const { name: member, graphqlName, shape, nullable, description } of members()) {
      const type = this.of(shape, direction, `${place}_${member}`);
      // An answer's field reads the member by its own name; an input arrives by its GraphQL name.
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

/** The schema that has a name, where `found` is that schema with a description for one place. */
function namedOf(found: z.ZodObject): z.ZodObject {
  for (let schema: z.ZodType | undefined = found; schema; schema = schema._zod.parent as z.ZodType | undefined)
    if (metaOf(schema).id !== undefined) return schema as z.ZodObject;
  return found;
}

/** `nullable` as type-graphql says it. */
export function nullability(
  shape: Shape,
  nullable: boolean,
): { readonly nullable: boolean | 'items' | 'itemsAndList' } {
  if (shape.kind !== 'list' || !shape.nullable) return { nullable };
  return { nullable: nullable ? 'itemsAndList' : 'items' };
}
