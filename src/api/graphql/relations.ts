/**
 * Fields of relations: next to `driverId` the field `driver`, which is loaded if a document selects it. It contains the
 * object as its read operation returns it to the same caller; null if that operation refuses the caller.
 */
import type { GraphQLField } from 'graphql';
import { Extensions, Field, UseMiddleware, type ClassType, type MiddlewareFn } from 'type-graphql';
import type { z } from 'zod';
import type { Relation, Target } from '../core/operation.js';
import type { Id, RelationsOf } from '../core/relations.js';
import { camelCase } from './names.js';
import { shapeOf } from './shapes.js';
import type { TypeRef, Types } from './types.js';

/** Marks the fields, for the limits of a document. */
const MARK = 'relation';

export const isRelation = ({ extensions }: GraphQLField<unknown, unknown>): boolean => extensions[MARK] === true;

export interface Loading {
  /** The object as its read returns it to the caller; null where that is refused. Throws QUERY_TOO_COMPLEX. */
  readonly load: (target: Target, id: Id) => Promise<unknown>;
}

/** Adds the fields to the types that were made so far. */
export function addRelations(types: Types, relationsOf: RelationsOf): void {
  for (const [schema, type] of types.outputs())
    for (const relation of relationsOf(schema)) {
      const { member, schema: target } = relation.target;
      addRelation(type, relation, types.of(shapeOf(target as z.ZodType, 'output').shape, 'output', member));
    }
}

function addRelation(type: ClassType, { name, by, many, target }: Relation, object: TypeRef): void {
  const prototype = type.prototype as Record<string, unknown>;
  const load: MiddlewareFn<Loading> = ({ root, context }) => {
    const ids = (root as Readonly<Record<string, Id | readonly Id[] | null | undefined>>)[by];
    if (typeof ids !== 'object') return Promise.resolve(ids === undefined ? null : context.load(target, ids));
    return Promise.resolve(ids && Promise.all(ids.map((id) => context.load(target, id))));
  };
  // A field with a method is resolved, not read from the response.
  prototype[name] = () => undefined;
  Field(() => (many ? [object] : object), {
    name: camelCase(name),
    nullable: many ? 'itemsAndList' : true,
    description: `The object that \`${target.read.name}\` returns for \`${camelCase(by)}\`. Null if the caller may not read it.`,
  })(prototype, name, Object.getOwnPropertyDescriptor(prototype, name)!);
  Extensions({ [MARK]: true })(prototype, name);
  UseMiddleware(load)(prototype, name);
}
