import type { ClientBase, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';

export interface TransactionOptions {
  /** Absent: as the server says, which is read committed. */
  readonly isolation?: 'repeatable read';
  /**
   * A statement that goes to the server together with the transaction's begin; it is not carried out where that failed.
   */
  readonly opening?: string;
}

/**
 * Runs `work` in one transaction, with the rows of its opening. The pool of read models commits lazily: rows and
 * checkpoint are lost together, and the log brings both back.
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
 * Runs `work` inside the transaction of `db`, whole or not at all: when it throws, the transaction continues as if it
 * had not been.
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
