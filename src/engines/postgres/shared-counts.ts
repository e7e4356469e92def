/**
 * What the processes of one database count together: each sends the others ten times a second what it counted of those
 * who are busy. A lone process counts nothing here and sends nothing. What is sent may be lost or late by a
 * tenth of a second; nothing of it is stored.
 */
import type { Pool } from 'pg';
import { createWakeUp } from '../postgres-log/wake-up.js';

const CHANNEL = 'counted';
const TICK_MS = 100;
/** So often a process says that it is there; one that says nothing for three times as long is gone. */
const HERE_MS = 10_000;
const HERE = 'here';
/** Told in a tick: the busiest. A notification has 8,000 bytes. */
const MOST_TOLD = 50;
/** Less than this part of the limit, counted at its pace, is not worth telling. */
const BUSY = 0.1;

/** `heard`: what another process counted of a client. */
type Heard = (client: string, count: number) => void;

export type SharedCounts = ReturnType<typeof createSharedCounts>;

/** Of a process that is the only one, as the command line's. */
export const ALONE: Pick<SharedCounts, 'join'> = { join: () => () => undefined };

export function createSharedCounts(pool: Pool) {
  const joined = new Map<string, { readonly heard: Heard; readonly least: number; counted: Map<string, number> }>();
  let othersUntil = 0;
  const areOthers = (): boolean => Date.now() < othersUntil;

  const wakeUp = createWakeUp(pool, CHANNEL, (names) => {
    if (!names) return wakeUp.announce([HERE]);
    // Who is new learns at once that there are others.
    if (!areOthers()) wakeUp.announce([HERE]);
    othersUntil = Date.now() + 3 * HERE_MS;
    for (const told of names) {
      const [name, count, client] = told.split(' ');
      if (client !== undefined) joined.get(name!)?.heard(decodeURIComponent(client), Number(count));
    }
  });
  const here = setInterval(() => wakeUp.announce([HERE]), HERE_MS).unref();
  const tick = setInterval(tell, TICK_MS).unref();

  function tell(): void {
    if (!areOthers()) return;
    const busy: [count: number, told: string][] = [];
    for (const [name, one] of joined) {
      for (const [client, count] of one.counted)
        if (count >= one.least) busy.push([count, `${name} ${count} ${encodeURIComponent(client)}`]);
      if (one.counted.size > 0) one.counted = new Map();
    }
    if (busy.length === 0) return;
    busy.sort(([a], [b]) => b - a);
    wakeUp.announce(busy.slice(0, MOST_TOLD).map(([, told]) => told));
  }

  return {
    /** Counts under a name, against a limit a second; gives how to count a client here. */
    join(name: string, limit: number, heard: Heard): Heard {
      const one = { heard, least: (limit * BUSY * TICK_MS) / 1_000, counted: new Map<string, number>() };
      joined.set(name, one);
      return (client, count) => {
        if (areOthers()) one.counted.set(client, (one.counted.get(client) ?? 0) + count);
      };
    },
    async close(): Promise<void> {
      clearInterval(here);
      clearInterval(tick);
      await wakeUp.close();
    },
  };
}
