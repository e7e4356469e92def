/** Integer ids from sequences. Events contain the ids, so rebuilds use the same ones. Gaps are allowed. */
import type { Pool } from 'pg';

/** Reservations are kept as long as idempotency keys. */
const RETENTION_HOURS = 24;
/** Key of the advisory lock; migrations and rebuilds use others. */
const LOCK = '7305541260174004';

export type Ids = ReturnType<typeof createIds>;

interface Reserved {
  readonly ids: readonly string[];
}

const RESERVED = 'select ids from access.reserved_ids where command_id = $1 and sequence = $2';

/** `pool`: its commits are durable no later than the events with the ids. */
export function createIds(pool: Pool) {
  const drawn = 'array(select nextval($1::regclass) from generate_series(1, $2))';
  return {
    /** `sequence`: name in `access.<name>_id`. A `repeatable` command gets the same ids on each call. */
    async reserve(sequence: string, count: number, commandId: string, repeatable: boolean): Promise<readonly number[]> {
      if (count === 0) return [];
      const name = `access.${sequence}_id`;
      if (!repeatable) {
        const { rows } = await pool.query<Reserved>(`select ${drawn} as ids`, [name, count]);
        return rows[0]!.ids.map(Number);
      }
      const known = () => pool.query<Reserved>(RESERVED, [commandId, sequence]);
      let { rows } = await known();
      if (rows.length === 0)
        ({ rows } = await pool.query<Reserved>(
          `insert into access.reserved_ids (command_id, sequence, ids) select $3, $4, ${drawn}
             on conflict do nothing returning ids`,
          [name, count, commandId, sequence],
        ));
      // A concurrent attempt of the command was faster. It has committed, but only a new statement sees its ids.
      if (rows.length === 0) ({ rows } = await known());
      return rows[0]!.ids.map(Number);
    },
    /** Creates the sequence if it does not exist. */
    async prepare(sequence: string): Promise<void> {
      // `if not exists` does not see a sequence that a concurrent process is creating, so a lock serializes them.
      await pool.query(`select pg_advisory_xact_lock(${LOCK}); create sequence if not exists access.${sequence}_id`);
    },
    /** Deletes old reservations; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.reserved_ids where reserved_at < now() - make_interval(hours => $1)',
        [RETENTION_HOURS],
      );
      return rowCount ?? 0;
    },
    /**
     * Raises the sequence to the highest id in a read model: after a restore, sequences restart but the log does not.
     */
    async raise(sequence: string, atLeast: number): Promise<void> {
      const name = `access.${sequence}_id`;
      const behind = 'from %s where $1 > last_value or ($1 = last_value and not is_called)'.replace('%s', name);
      if ((await pool.query(`select ${behind}`, [atLeast])).rowCount === 0) return;
      // ALTER SEQUENCE changes nothing here. Its lock prevents other processes from drawing ids between the check and
      // setval.
      const client = await pool.connect();
      try {
        await client.query(`begin; alter sequence ${name} no cycle`);
        await client.query(`select setval('${name}', $1::bigint) ${behind}`, [atLeast]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
