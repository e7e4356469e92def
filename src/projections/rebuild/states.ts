/** The rows of one stream in the read models at a past moment. The events up to that moment are folded again. */
import { decoded, sealedOf, unseal, type EventTypes } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import type { Projection } from '../core/projection.js';

/** Rows by read model name. A stream may have several rows, such as the assignments of an order. */
export type States = Readonly<Record<string, readonly JsonObject[]>>;

/**
 * Folds the events with every projection of `projections` that has their stream. Personal members are decrypted with
 * `keys`, and omitted without a key. `events`: the events of one stream, from its first one.
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
  // Encrypted data is bound to the id of its event. Rows store the data without that id, so this map provides it.
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

/** Returns the value with all encrypted members decrypted in place. */
function opened(value: unknown, keys: ReadonlyMap<string, Buffer>, origins: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => opened(item, keys, origins));
  if (typeof value !== 'object' || value === null) return value;
  const box = sealedOf(value as JsonObject)?.box;
  const whole = box === undefined ? value : unseal(value as JsonObject, origins.get(box)!, keys);
  return Object.fromEntries(Object.entries(whole).map(([name, member]) => [name, opened(member, keys, origins)]));
}
