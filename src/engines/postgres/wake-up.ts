/**
 * Wakes the readers of other processes. NOTIFY inside the append's transaction would take a cluster-wide lock through its
 * commit, so we notify after it, at most once per interval. Notifications may be lost; readers poll as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const INTERVAL_MS = 20;
const RECONNECT_MS = 500;

export interface WakeUp {
  /** Something was committed. */
  announce(): void;
  close(): Promise<void>;
}

export function createWakeUp(pool: pg.Pool, channel: string, heard: () => void): WakeUp {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let listener: pg.PoolClient | undefined;
  const listening = listen();

  async function listen(): Promise<void> {
    while (!closed) {
      let client: pg.PoolClient | undefined;
      try {
        client = await pool.connect();
        if (closed) return client.release();
        listener = client;
        client.on('notification', heard);
        const lost = new Promise<void>((resolve) => client!.once('error', () => resolve()).once('end', resolve));
        await client.query(`listen ${channel}`);
        await lost;
      } catch {
        // Not connected, or closed before it listened.
      }
      listener = undefined;
      client?.release(true);
      if (closed) return;
      await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  return {
    announce() {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (!closed) pool.query(`notify ${channel}`).catch(() => undefined);
      }, INTERVAL_MS).unref();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      // Ending the connection resolves `lost`, and with it the loop.
      await (listener as unknown as { end(): Promise<void> } | undefined)?.end();
      await Promise.race([listening, sleep(RECONNECT_MS * 2, undefined, { ref: false })]);
    },
  };
}
