/**
 * Drops the read models, so that the next start rebuilds them from the log. Used after a restore, or after the log was
 * moved to another engine.
 */
import type { EventLog } from '../../events/core/log.js';
import type { Parts } from '../core/parts.js';
import type { Projection } from '../core/projection.js';
import { inTransaction } from '../core/transaction.js';

export interface DropOptions extends Parts<'pool'> {
  readonly log: Pick<EventLog, 'head'>;
  /** Name of the engine that contains the log from now on. */
  readonly engine: string;
  /** Other readers whose tables are not in backups. They restart from the beginning of the log. */
  readonly restarted: readonly string[];
  /** Tables with queued events of restarted readers. They are emptied, because the readers fill them again. */
  readonly queues: readonly string[];
}

/**
 * Drops the tables of `projections` and their checkpoints. Other readers of the log (the relay) keep their positions,
 * limited to the end of the log. If their positions come from another engine, they restart from the beginning. Throws
 * while a process holds a lease.
 */
export async function dropReadModels(
  projections: readonly Projection[],
  { pool, log, engine, restarted, queues }: DropOptions,
): Promise<void> {
  const names = projections.map(({ name }) => name);
  const head = await log.head();
  await inTransaction(pool, async (db) => {
    await db.query('lock table projections.checkpoints in access exclusive mode');
    const { rows: held } = await db.query<{ name: string }>(
      'select name from projections.checkpoints where lease_until > now() order by name',
    );
    if (held.length > 0)
      throw new Error(`A process works on ${held.map(({ name }) => name).join(', ')}: stop the service first.`);
    for (const name of names) await db.query(`drop schema if exists ${name} cascade`);
    for (const table of queues) await db.query(`delete from ${table}`);
    await db.query('delete from projections.quarantine where name = any ($1)', [names]);
    await db.query(
      'delete from projections.checkpoints where name = any ($1) or not exists (select from projections.source where engine = $2)',
      [[...names, ...restarted], engine],
    );
    await db.query('update projections.checkpoints set position = $1 where position > $1', [head]);
    await db.query(
      'insert into projections.source (engine) values ($1) on conflict (one) do update set engine = excluded.engine',
      [engine],
    );
  });
}
