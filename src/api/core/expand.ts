/**
 * `expand` of reads over REST: objects in addition to their ids, one level deep. Each is what its own read returns to
 * the same caller, and null where that is refused.
 */
import { ApiError } from './errors.js';
import type { Operation, Relation, Target } from './operation.js';
import { loadAll, MAX_LOADED, type Id } from './relations.js';
import { resourceOf } from './resource-fields.js';

/** Name of the query parameter. */
export const EXPAND = 'expand';

type Members = Readonly<Record<string, unknown>>;

export interface Expansion {
  /** The operation with the objects in its response. */
  readonly operation: Operation;
  /** Throws INVALID_INPUT for a name that is no relation of the resource. */
  readonly check: () => void;
  readonly names: readonly string[];
}

/** Returns the relations that the text of the parameter requests. */
export function expansionOf(operation: Operation, text: string): Expansion {
  const { relations = [] } = operation;
  const names = text.split(',').map((name) => name.trim());
  const chosen = relations.filter(({ name }) => names.includes(name));
  const reads = chosen.flatMap(({ target }) => target.read.reads ?? []);
  return {
    names,
    check() {
      const known = new Set(relations.map(({ name }) => name));
      if (names.some((name) => !known.has(name)))
        throw new ApiError('INVALID_INPUT', {
          errors: [
            { field: EXPAND, path: `/${EXPAND}`, code: 'INVALID_VALUE', params: { allowed: [...known].join(', ') } },
          ],
        });
    },
    operation: {
      ...operation,
      reads: [...new Set([...(operation.reads ?? []), ...reads])],
      async run(input, context) {
        const response = (await operation.run(input, context)) as Members;
        const { name } = resourceOf(operation)!;
        const entries = [response[name]].flat().filter((entry): entry is Members => Boolean(entry));
        if (entries.length === 0) return response;
        const loaded = new Map<Target, ReadonlyMap<Id, unknown>>();
        for (const [target, ids] of idsOf(chosen, entries)) loaded.set(target, await loadAll(target, ids, context));
        const expanded = entries.map((entry) => ({
          ...entry,
          ...Object.fromEntries(chosen.map((relation) => [relation.name, objectOf(relation, entry, loaded)])),
        }));
        return { ...response, [name]: Array.isArray(response[name]) ? expanded : expanded[0] };
      },
    },
  };
}

/** Throws QUERY_TOO_COMPLEX. */
function idsOf(relations: readonly Relation[], entries: readonly Members[]): ReadonlyMap<Target, readonly Id[]> {
  const ids = new Map<Target, Set<Id>>();
  for (const { by, target } of relations) {
    const known = ids.get(target) ?? new Set();
    ids.set(target, known);
    for (const id of entries.flatMap((entry) => referencesIn(entry[by]))) known.add(id);
  }
  const count = [...ids.values()].reduce((sum, { size }) => sum + size, 0);
  if (count > MAX_LOADED) throw new ApiError('QUERY_TOO_COMPLEX', { params: { limit: EXPAND, max: MAX_LOADED } });
  return new Map([...ids].map(([target, known]) => [target, [...known]]));
}

const referencesIn = (value: unknown): Id[] =>
  [value].flat().filter((id): id is Id => typeof id === 'number' || typeof id === 'string');

function objectOf(
  { by, many, target }: Relation,
  entry: Members,
  loaded: ReadonlyMap<Target, ReadonlyMap<Id, unknown>>,
): unknown {
  const objects = referencesIn(entry[by]).map((id) => loaded.get(target)?.get(id) ?? null);
  return many ? objects : (objects[0] ?? null);
}
