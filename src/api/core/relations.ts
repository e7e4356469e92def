/**
 * Relations of resources: a member that refers to another resource (`driver_id`), and the read that has it (`driver`).
 * They are declared with the schema of the resource: `.register(RELATIONS, { driver: 'driver' })`. REST adds the objects
 * that `expand` names, GraphQL has a field for each.
 */
import { z } from 'zod';
import { objectsIn } from './fields.js';
import { resourceOf } from './resource-fields.js';
import type { Context, Operation, Relation, Target } from './operation.js';
import { readAsCaller } from './read-as-caller.js';

/**
 * By the name of the added member, the read that has the object. The reference is `<name>_id`, unless `by` names another
 * member; of a member with several ids (`driver_ids`) each object is added.
 */
type Declared = Readonly<Record<string, string | { readonly read: string; readonly by: string }>>;

export const RELATIONS = z.registry<Declared>();

/** Objects that one request may load at most. */
export const MAX_LOADED = 1_000;
/** Reads of one request that run at the same time. */
const AT_ONCE = 4;

export type Id = number | string;

/** What resources refer to, by the schema of the resource. */
export type RelationsOf = (schema: z.core.$ZodType) => readonly Relation[];

/** Reads are found among the operations; throws a sentence where there is none. */
export function relationsAmong(operations: readonly Operation[]): RelationsOf {
  const byName = new Map(operations.map((one) => [one.name, one]));
  const targets = new Map<string, Target>();
  const targetOf = (name: string): Target => {
    const target = targets.get(name) ?? toTarget(name, byName.get(name));
    targets.set(name, target);
    return target;
  };
  return (schema) =>
    objectsIn(schema).flatMap((object) =>
      Object.entries(RELATIONS.get(object) ?? {}).map(([name, declared]): Relation => {
        const { read, by } = typeof declared === 'string' ? { read: declared, by: `${name}_id` } : declared;
        return { name, by, many: by.endsWith('_ids'), target: targetOf(read) };
      }),
    );
}

function toTarget(name: string, read: Operation | undefined): Target {
  const resource = read && resourceOf(read);
  const ids = [...(read?.rest.path ?? '').matchAll(/:(\w+)/g)].map(([, id]) => id!);
  if (!read || resource?.kind !== 'object' || ids.length !== 1)
    throw new Error(
      `A relation names the read ${name}, which is no operation that reads one resource by its id alone. Change it where the schema registers RELATIONS (src/api/areas/<area>).`,
    );
  return { read, id: ids[0]!, member: resource.name, schema: resource.schema };
}

/** Gives each read the relations of its resource. */
export function withRelations(operations: readonly Operation[]): Operation[] {
  const relationsOf = relationsAmong(operations);
  return operations.map((operation) => {
    const relations = relationsOf(resourceOf(operation)?.schema ?? z.never());
    return relations.length === 0 ? operation : { ...operation, relations };
  });
}

/** What the caller gets of each id by the read itself; null where that is refused. */
export async function loadAll(
  { read, id, member }: Target,
  ids: readonly Id[],
  context: Context,
): Promise<ReadonlyMap<Id, unknown>> {
  const loaded = new Map<Id, unknown>();
  // The loops share one iterator, so that each takes the next id.
  const remaining = new Set(ids).values();
  const load = async (): Promise<void> => {
    for (const one of remaining) loaded.set(one, (await readAsCaller(read, { [id]: one }, context))?.[member] ?? null);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, load));
  return loaded;
}
