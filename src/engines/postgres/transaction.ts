/**
 * Runs several statements in a transaction. Commits synchronously, whatever the pool's setting, so that the result
 * survives a crash.
 */
import type { Pool, PoolClient } from 'pg';

export async function inTransaction<T>(pool: Pool, run: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  try {
    await db.query('begin; set local synchronous_commit = on');
    const result = await run(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    db.release();
  }
}
