import type { ClientBase, Pool, PoolClient } from 'pg';

export interface TransactionOptions {
  /** Absent: as the server says, which is read committed. */
  readonly isolation?: 'repeatable read';
}

/** Runs `work` in one transaction. The pool of read models commits lazily: rows and checkpoint are lost together, and the log brings both back. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>, { isolation }: TransactionOptions = {}): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  try {
    await db.query(`begin${isolation ? ` isolation level ${isolation}` : ''}`);
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

/** Runs `work` inside the transaction of `db`, whole or not at all: when it throws, the transaction goes on as if it had not been. */
export async function inSavepoint<T>(db: ClientBase, work: () => Promise<T>): Promise<T> {
  await db.query('savepoint step');
  try {
    const result = await work();
    await db.query('release savepoint step');
    return result;
  } catch (error) {
    await db.query('rollback to savepoint step; release savepoint step');
    throw error;
  }
}
