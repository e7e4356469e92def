/** What the read models held of one stream at a moment: its events up to then, folded again. */
import { decoded, sealedOf, unseal, type EventTypes } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import type { Projection } from '../core/projection.js';

/** Rows by the read model they belong to; several where a stream has several (the assignments of an order). */
export type States = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Folds the events with every projection of `projections` that takes their stream. Personal members are opened with
 * `keys`, and left out where there is none. `events` are of one stream, from its first one on.
 */
export function statesOf(
  events: readonly StoredEvent[],
  {
    projections,
    types,
    keys,
  }: {
    readonly projections: readonly Projection[];
    readonly types: EventTypes;
    readonly keys: ReadonlyMap<string, Buffer>;
  },
): States {
  // A box is bound to the event that it was sealed for: rows carry it somewhere else.
  const origins = new Map(
    events.flatMap(({ id, data }) => {
      const box = sealedOf(data)?.box;
      return box === undefined ? [] : [[box, id] as const];
    }),
  );
  const known = events.map((event) => decoded(event, types));
  const stream = events[0]!.stream;
  const folding = projections.filter(
    ({ prefixes, rowPerStream }) => rowPerStream && prefixes?.some((prefix) => stream.startsWith(prefix)),
  );
  return Object.fromEntries(
    folding.map((projection) => {
      const rows = new Map<string, unknown>();
      for (const event of known) {
        const key = projection.keyOf(event);
        rows.set(key, projection.fold(rows.get(key), event));
      }
      return [
        projection.name,
        [...rows.values()].map(
          (row) => opened(JSON.parse(JSON.stringify(projection.read?.(row) ?? row)), keys, origins) as JsonObject,
        ),
      ];
    }),
  );
}

/** The same value with every box in it opened in its place. */
function opened(value: unknown, keys: ReadonlyMap<string, Buffer>, origins: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => opened(item, keys, origins));
  if (typeof value !== 'object' || value === null) return value;
  const box = sealedOf(value as JsonObject)?.box;
  const whole = box === undefined ? value : unseal(value as JsonObject, origins.get(box)!, keys);
  return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, opened(member, keys, origins)]));
}
