/** Concurrent queries for single rows as one database query. */
import DataLoader from 'dataloader';

/** Maximum number of keys in one query. */
const MAX_BATCH_SIZE = 100;

/**
 * Returns a function that loads a value by its key. Calls in the same turn of the event loop share one query, because a
 * statement costs more than its rows. Nothing is cached: the query begins after the call, so it reads everything that was
 * stored before. `load` returns one value per key, in the order of the keys, which may be repeated.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>(load, {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    batchScheduleFn: setImmediate,
  });
  return (key) => loader.load(key);
}

/** Like `batched`, for rows with an integer id. A row that does not exist is undefined. */
export const batchedById = <Row extends { readonly id: number }>(
  load: (ids: number[]) => Promise<readonly Row[]>,
): ((id: number) => Promise<Row | undefined>) =>
  batched(async (ids) => {
    const found = new Map((await load([...new Set(ids)])).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  });
