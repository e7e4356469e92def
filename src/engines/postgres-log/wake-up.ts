/**
 * Wakes the readers of other processes. NOTIFY inside the append's transaction would take a cluster-wide lock through
 * its commit. Therefore it is sent after the commit, at most once per interval. Notifications may be lost; readers poll
 * as well.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const INTERVAL_MS = 20;
const RECONNECT_MS = 500;

/** Maximum number of names in one notification. */
const MAX_NAMES = 100;
/** Prefix of the sender's name in a notification. */
const SENDER = '@';

export type WakeUp = ReturnType<typeof createWakeUp>;

/**
 * Calls `heard` for every notification of other processes, with the names in it. The names are undefined if there are
 * none, or if notifications may have been lost.
 */
export function createWakeUp(pool: pg.Pool, channel: string, heard: (names: ReadonlySet<string> | undefined) => void) {
  const self = `${SENDER}${randomUUID()}`;
  const closing = new AbortController();
  const closed = once(closing.signal, 'abort');
  const names = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const listening = keepListening();

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => undefined);
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Listens until the connection is lost or `close` is called. */
  async function listen(): Promise<void> {
    const client = await pool.connect();
    try {
      const connectionLost = new Promise<void>((resolve) => client.once('error', () => resolve()).once('end', resolve));
      client.on('notification', ({ payload = '' }) => receive(payload.split(',').filter((name) => name !== '')));
      await Promise.race([client.query(`listen ${channel}`), closed]);
      // Notifications before this moment are lost.
      heard(undefined);
      await Promise.race([connectionLost, closed]);
    } finally {
      client.release(true);
    }
  }

  function receive(messages: readonly string[]): void {
    if (messages.includes(self)) return;
    const names = messages.filter((name) => !name.startsWith(SENDER));
    heard(names.length > 0 ? new Set(names) : undefined);
  }

  return {
    /** Announces a commit. `names`: names of the changes, for readers that distinguish them. */
    announce(more: Iterable<string> = []): void {
      for (const name of more) names.add(name);
      timer ??= setTimeout(() => {
        timer = undefined;
        const payload = [self, ...(names.size > MAX_NAMES ? [] : names)].join();
        names.clear();
        if (!closing.signal.aborted) pool.query('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
      }, INTERVAL_MS).unref();
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      closing.abort();
      await listening;
    },
  };
}
