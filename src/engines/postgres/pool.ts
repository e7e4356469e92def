/** Connections to PostgreSQL, with the time-outs that keep a lost client from holding locks. */
import pg from 'pg';
import { timeLimits, type TimeLimits } from '../../events/core/time-limits.js';

export interface PoolOptions {
  readonly max?: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Absent: those of the default. */
  readonly limits?: TimeLimits;
  /** Milliseconds; a statement that takes longer is cancelled. 0: none, for rebuilds; absent: the limit of a response. */
  readonly statementTimeout?: number;
  /**
   * Commits do not wait for the disk. For what the log brings back (read models), and for what comes before an append
   * to a log in the same database: its commit makes everything before it durable.
   */
  readonly lazyCommit?: boolean;
}

/**
 * A pool whose connections answer within bounded time: waiting for a free connection, connecting and statements all
 * time out, and a transaction whose client went silent is ended by the server, because an open append holds up every
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
    // A server that went silent cancels nothing, and says nothing: then this side gives up, and the pool opens another
    // connection.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + limits.silenceMs }),
    // What one connection is asked at once goes to the server at once.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(lazyCommit && { options: '-c synchronous_commit=off' }),
  });
  // A pooled connection that the server closes while idle is replaced by the pool; without a listener it would end the
  // process.
  pool.on('error', () => undefined);
  // The same for one that is in use, between two statements of a transaction: its next statement fails, and that is
  // enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
