import type { ClientBase, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';

export interface TransactionOptions {
  /** Absent: the default of the server, which is read committed. */
  readonly isolation?: 'repeatable read';
  /**
   * A statement that is sent to the server together with the `begin` of the transaction. It does not run if `begin`
   * failed.
   */
  readonly opening?: string;
}

/**
 * Runs `work` in one transaction and passes it the rows of the opening statement. The pool of read models commits
 * asynchronously: a crash loses rows and checkpoint together, and the log restores both.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: PoolClient, opened: readonly QueryResultRow[]) => Promise<T>,
  { isolation, opening = '' }: TransactionOptions = {},
): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  try {
    const answers = (await db.query(`begin${isolation ? ` isolation level ${isolation}` : ''}; ${opening}`)) as
      QueryResult | QueryResult[];
    const result = await work(db, Array.isArray(answers) ? answers[1]!.rows : []);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    db.release(broken);
  }
}

/**
 * Runs `work` in a savepoint of the transaction of `db`. If `work` throws, its changes are rolled back and the
 * transaction continues.
 */
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
