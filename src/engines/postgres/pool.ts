/** Connections to PostgreSQL, with timeouts that prevent a lost client from holding locks. */
import pg from 'pg';
import { timeLimits, type TimeLimits } from '../../events/core/time-limits.js';

export interface PoolOptions {
  readonly max?: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Absent: the default limits. */
  readonly limits?: TimeLimits;
  /** Milliseconds after which a statement is cancelled. 0: no limit, for rebuilds. Absent: the response timeout. */
  readonly statementTimeout?: number;
  /**
   * Commits do not wait for the disk. For data that can be rebuilt from the log (read models), and for data before an
   * append to a log in the same database. The commit of the append makes everything before it durable.
   */
  readonly lazyCommit?: boolean;
}

/**
 * Creates a pool whose connections respond within bounded time. Waiting for a free connection, connecting, and
 * statements all time out. The server ends a transaction whose client is silent, because an open append delays every
 * reader.
 */
export function createPool(
  url: string,
  { max = 10, name, limits = timeLimits(), statementTimeout = limits.responseMs, lazyCommit = false }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: `transport-${name}`,
    connectionTimeoutMillis: limits.engineMs,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: limits.responseMs,
    // A server that no longer responds cannot cancel the statement. The client then gives up, and the pool opens
    // another connection.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + limits.silenceMs }),
    // Concurrent queries on one connection are sent immediately.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(lazyCommit && { options: '-c synchronous_commit=off' }),
  });
  // The pool replaces an idle connection that the server closes. Without a listener, the error would end the process.
  pool.on('error', () => undefined);
  // The same for a connection in use, between two statements of a transaction: its next statement fails, which is
  // sufficient.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
