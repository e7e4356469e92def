/**
 * Runs work of a business one after the other, also in several processes. It saves repeated work under load. It does not
 * replace the checks of a decider: after a lost connection, the work of another process may begin.
 */
import type { Pool, PoolClient } from 'pg';

/** The server cancelled the statement: the turn did not come in time. */
const CANCELLED = '57014';

/** Another process works for the business, and its turn takes too long. */
export class TurnTooLate extends Error {
  override readonly name = 'TurnTooLate';
}

/** Throws TurnTooLate before the work starts. */
export type OnePerBusiness = <T>(business: number, work: () => Promise<T>) => Promise<T>;

export function createOnePerBusiness(pool: Pool, purpose: string): OnePerBusiness {
  return async (business, work) => {
    const db = await pool.connect();
    let failure: Error | undefined;
    try {
      await lock(db, `${purpose} ${business}`);
      return await work();
    } catch (error) {
      if ((error as { code?: unknown }).code === CANCELLED) throw new TurnTooLate(purpose, { cause: error });
      throw error;
    } finally {
      // The work is done, whatever happens to the lock. A connection that cannot release it is closed.
      await db.query('rollback').catch((error: Error) => (failure = error));
      db.release(failure);
    }
  };
}

async function lock(db: PoolClient, name: string): Promise<void> {
  await db.query('begin');
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}
