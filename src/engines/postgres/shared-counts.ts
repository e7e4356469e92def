/**
 * Counts that the processes of one database share. Ten times a second, each process sends the others its counts of busy
 * clients. A single process counts nothing here and sends nothing. Messages may be lost, or late by a tenth of a
 * second; nothing is stored.
 */
import type { Pool } from 'pg';
import { createWakeUp } from '../postgres-log/wake-up.js';

const CHANNEL = 'counted';
const TICK_MS = 100;
/** Interval at which a process announces itself. A process that is silent for three times as long counts as stopped. */
const PRESENCE_MS = 10_000;
const PRESENT = 'here';
/** Maximum number of clients per tick; the busiest are sent. A notification has 8,000 bytes. */
const MAX_REPORTED = 50;
/** Clients whose rate is below this fraction of the limit are not sent. */
const BUSY = 0.1;

/** `heard`: another process counted `count` requests of a client. */
type Heard = (client: string, count: number) => void;

export type SharedCounts = ReturnType<typeof createSharedCounts>;

/** For a single process, such as a command line tool. */
export const NO_SHARED_COUNTS: Pick<SharedCounts, 'join'> = { join: () => () => undefined };

export function createSharedCounts(pool: Pool) {
  const joined = new Map<string, { readonly heard: Heard; readonly least: number; counted: Map<string, number> }>();
  let peersUntil = 0;
  const hasPeers = (): boolean => Date.now() < peersUntil;

  const wakeUp = createWakeUp(pool, CHANNEL, (names) => {
    if (!names) return wakeUp.announce([PRESENT]);
    // A new process is notified immediately that there are others.
    if (!hasPeers()) wakeUp.announce([PRESENT]);
    peersUntil = Date.now() + 3 * PRESENCE_MS;
    for (const message of names) {
      const [name, count, client] = message.split(' ');
      if (client !== undefined) joined.get(name!)?.heard(decodeURIComponent(client), Number(count));
    }
  });
  const presenceTimer = setInterval(() => wakeUp.announce([PRESENT]), PRESENCE_MS).unref();
  const tick = setInterval(publish, TICK_MS).unref();

  function publish(): void {
    if (!hasPeers()) return;
    const busy: [count: number, told: string][] = [];
    for (const [name, one] of joined) {
      for (const [client, count] of one.counted)
        if (count >= one.least) busy.push([count, `${name} ${count} ${encodeURIComponent(client)}`]);
      if (one.counted.size > 0) one.counted = new Map();
    }
    if (busy.length === 0) return;
    busy.sort(([a], [b]) => b - a);
    wakeUp.announce(busy.slice(0, MAX_REPORTED).map(([, told]) => told));
  }

  return {
    /**
     * Registers a count by name. `limit`: the maximum per second. Returns a function that counts a client of this
     * process.
     */
    join(name: string, limit: number, heard: Heard): Heard {
      const one = { heard, least: (limit * BUSY * TICK_MS) / 1_000, counted: new Map<string, number>() };
      joined.set(name, one);
      return (client, count) => {
        if (hasPeers()) one.counted.set(client, (one.counted.get(client) ?? 0) + count);
      };
    },
    async close(): Promise<void> {
      clearInterval(presenceTimer);
      clearInterval(tick);
      await wakeUp.close();
    },
  };
}
