/**
 * Ensures that new ids are greater than all ids in the log. Sequences are not part of the log: they restart after a
 * restore, or if the database next to EventStoreDB was lost. They are therefore raised to the highest id in the read
 * models.
 */
import type { Sequence } from '../projections/core/sequence.js';
import type { Ids } from '../engines/postgres/ids.js';
import type { Parts } from '../api/core/parts.js';

const WAIT_MS = 1_000;

/**
 * Raises the sequences before the service accepts requests. Raises them again when the read models have processed the
 * events that are in the log now, because rebuilt read models are empty at first. Until then, an id may be drawn that
 * is already taken; the append to its stream is then rejected. Returns a function that stops the wait.
 */
export async function raiseSequences({
  sequences,
  ids,
  pool,
  log,
  progress,
  onError,
}: Parts<'pool' | 'log' | 'progress' | 'onError'> & { sequences: readonly Sequence[]; ids: Ids }): Promise<
  () => Promise<void>
> {
  const raise = async (sequence: string, table: string) => {
    const { rows } = await pool.query<{ highest: number }>(`select coalesce(max(id), 0) as highest from ${table}`);
    await ids.raise(sequence, Number(rows[0]!.highest));
  };
  for (const { name, table } of sequences) {
    await ids.prepare(name);
    await raise(name, table);
  }
  const head = await log.head();
  let stopped = false;
  const secondRaise = Promise.all(
    sequences.map(async ({ name, readModel, table }) => {
      while (!stopped && !(await progress.waitFor(readModel, head, WAIT_MS)));
      if (!stopped) await raise(name, table);
    }),
  ).catch(onError);
  return async () => {
    stopped = true;
    await secondRaise;
  };
}
