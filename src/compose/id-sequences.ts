/**
 * New ids are above all that the log holds. Sequences are no part of the log: after a restore, or where the database
 * next to EventStoreDB was lost, they start anew, so they are raised to what the read models know.
 */
import type { Sequence } from '../projections/core/sequence.js';
import type { Ids } from '../engines/postgres/ids.js';
import type { Parts } from '../api/core/parts.js';

const WAIT_MS = 1_000;

/**
 * Raises them before anybody is served, and once more when the read models hold what was in the log by then: those that
 * begin anew know nothing at the start. Until then a number that is taken is refused by its stream. Returns how to end
 * that.
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
  const later = Promise.all(
    sequences.map(async ({ name, readModel, table }) => {
      while (!stopped && !(await progress.waitFor(readModel, head, WAIT_MS)));
      if (!stopped) await raise(name, table);
    }),
  ).catch(onError);
  return async () => {
    stopped = true;
    await later;
  };
}
