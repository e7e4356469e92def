import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction of a read model. Its commit does not wait for the disk: rows and checkpoint are lost together
 * in a crash, and the log brings both back.
 */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  try {
    await db.query('begin; set local synchronous_commit = off');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    db.release(broken);
  }
}
