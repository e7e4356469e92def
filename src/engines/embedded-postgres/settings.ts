import { totalmem } from 'node:os';

const MB = 1 << 20;

/**
 * Settings for a machine with 2 cores and 4 GB or more. fsync and similar settings keep PostgreSQL's default: on. The
 * settings are passed on the command line, so that updates of the service need not change a configuration file in the
 * cluster folder.
 * @param memory bytes that this process may use
 */
export function defaultSettings(memory = availableMemory()): Record<string, string> {
  return {
    // Large enough for the indexes of a million events: ids are hashes, so an append touches pages all over the
    // indexes.
    shared_buffers: `${Math.max(16, Math.min(1_024, Math.floor(memory / 8 / MB)))}MB`,
    max_connections: '100',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    TimeZone: 'UTC',
    log_timezone: 'UTC',
  };
}

/** Settings that the caller cannot override: loopback only, and no socket file unless the caller gives its folder. */
export const networkSettings = (port: number, socketDir = ''): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  port: String(port),
  unix_socket_directories: socketDir,
  logging_collector: 'off',
});

/** The memory of the machine, or the limit of the container if that is lower. */
const availableMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);
