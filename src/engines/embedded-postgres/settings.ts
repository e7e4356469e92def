import { totalmem } from 'node:os';

const MB = 1 << 20;

/**
 * Settings for a machine of 2 cores and 4 GB or more; fsync and the like stay as PostgreSQL has them: on. They are put
 * on the command line, so the cluster folder has no configuration of its own that an update of the service would have
 * to change.
 * @param memory bytes that this process may use
 */
export function defaultSettings(memory = availableMemory()): Record<string, string> {
  return {
    // The indexes of a million events have their place in it: ids are hashes, so an append touches pages all over them.
    shared_buffers: `${Math.max(16, Math.min(1_024, Math.floor(memory / 8 / MB)))}MB`,
    max_connections: '100',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
  };
}

/** What must hold whatever the caller sets: loopback only, and no socket file unless the caller names its folder. */
export const networkSettings = (port: number, socketDir = ''): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  unix_socket_directories: socketDir,
  logging_collector: 'off',
});

/** The memory of the machine, or of the container when that is less. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);
