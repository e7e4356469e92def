/**
 * Finishes work that a crash interrupted. It looks for such work at start and at intervals, and repeats it. Repeated
 * work changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeLimits } from '../../events/core/time-limits.js';

export interface RepairOptions {
  /** Ids of the work that has waited since before `millis` (milliseconds since 1970), oldest first. */
  readonly unfinished: (millis: number) => Promise<readonly string[]>;
  readonly finish: (id: string) => Promise<void>;
  readonly now: () => number;
  readonly limits: Pick<TimeLimits, 'repairAfterMs' | 'repairEveryMs'>;
  /** Work younger than this may still be in progress. Milliseconds; absent: `repairAfterMs` of the limits. */
  readonly minAgeMs?: number;
  readonly every?: number;
  readonly onError: (error: unknown, id?: string) => void;
}

export type Repair = ReturnType<typeof startRepair>;

export function startRepair({
  unfinished,
  finish,
  now,
  limits,
  minAgeMs = limits.repairAfterMs,
  every = limits.repairEveryMs,
  onError,
}: RepairOptions) {
  const stop = new AbortController();

  async function round(): Promise<void> {
    for (const id of await unfinished(now() - minAgeMs)) {
      if (stop.signal.aborted) return;
      // A failed item does not delay the others.
      await finish(id).catch((error: unknown) => onError(error, id));
    }
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await round().catch(onError);
      await sleep(every, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    /** Finishes the current item. */
    async stop(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
