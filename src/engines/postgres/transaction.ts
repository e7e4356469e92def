/** Several statements that hold together: what was answered is there after a crash, whatever the pool says. */
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
