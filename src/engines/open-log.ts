/** Opens an event log by its address, for tools that need only a log. */
import type { EventLog } from '../events/core/log.js';
import { createPostgresLog } from './postgres-log/log.js';
import { migrate } from './postgres/migrate.js';
import { createPool } from './postgres/pool.js';

export interface LogHandle {
  readonly log: EventLog;
  /**
   * Whether appends in one call of `append` get positions in the order of the call. Otherwise only sequential calls
   * preserve an order.
   */
  readonly ordered: boolean;
  close(): Promise<void>;
}

export interface OpenLogOptions {
  /** Creates the tables of an empty database; absent: throws if there is no log. */
  readonly create?: boolean;
}

/** `url`: `postgres://` or `esdb://` (also `kurrentdb://`, `+discover`). Throws if no server responds there. */
export async function openLog(url: string, { create = false }: OpenLogOptions = {}): Promise<LogHandle> {
  if (!/^postgres(ql)?:/.test(url)) {
    const { connectEventStore } = await import('./eventstore/log.js');
    const log = await connectEventStore(url);
    return { log, ordered: false, close: () => log.close() };
  }
  const pool = createPool(url, { name: 'log-tool', max: 4, statementTimeout: 0 });
  try {
    if (create) await migrate(pool);
    const { rows } = await pool.query<{ present: boolean }>(`select to_regclass('log.events') is not null as present`);
    if (!rows[0]!.present) throw new Error('That database contains no event log.');
    const log = createPostgresLog(pool);
    return { log, ordered: true, close: () => log.close().then(() => pool.end()) };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
