/** Integer ids from sequences. They are in the events, so rebuilds see the same ones; a gap means nothing. */
import type { Pool } from 'pg';

/** Reservations are kept as long as idempotency keys are. */
const KEPT_HOURS = 24;
/** Of the advisory lock; migrations and rebuilds have others. */
const LOCK = '7305541260174004';

export type Ids = ReturnType<typeof createIds>;

interface Reserved {
  readonly ids: readonly string[];
}

const RESERVED = 'select ids from access.reserved_ids where command_id = $1 and sequence = $2';

/** `pool`: commits no later than the events that hold the ids. */
export function createIds(pool: Pool) {
  const drawn = 'array(select nextval($1::regclass) from generate_series(1, $2))';
  return {
    /** `sequence`: of `access.<name>_id`. A `repeatable` command gets the same ids each time it asks. */
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
      // Another attempt of the command came first: it has committed, and only a new statement sees what it drew.
      if (rows.length === 0) ({ rows } = await known());
      return rows[0]!.ids.map(Number);
    },
    /** Makes the sequence where it is not there yet. */
    async prepare(sequence: string): Promise<void> {
      // `if not exists` does not see what another process makes at the same moment, so they take turns.
      await pool.query(`select pg_advisory_xact_lock(${LOCK}); create sequence if not exists access.${sequence}_id`);
    },
    /** Forgets old reservations; returns how many. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.reserved_ids where reserved_at < now() - make_interval(hours => $1)',
        [KEPT_HOURS],
      );
      return rowCount ?? 0;
    },
    /** Never below what a read model holds already: after a restore, sequences start anew and the log does not. */
    async raise(sequence: string, atLeast: number): Promise<void> {
      const name = `access.${sequence}_id`;
      const behind = 'from %s where $1 > last_value or ($1 = last_value and not is_called)'.replace('%s', name);
      if ((await pool.query(`select ${behind}`, [atLeast])).rowCount === 0) return;
      // ALTER SEQUENCE changes nothing here: its lock keeps everybody from drawing between the look and the setting.
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
