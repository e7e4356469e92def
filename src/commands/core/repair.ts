/**
 * Finishes what a crash left undone: looks for it at start and from then on, and does it again. What is done twice
 * changes nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeLimits } from '../../events/core/time-limits.js';

export interface RepairOptions {
  /** What has been waiting since before `millis` (since 1970), oldest first. */
  readonly unfinished: (millis: number) => Promise<readonly string[]>;
  readonly finish: (id: string) => Promise<void>;
  readonly now: () => number;
  readonly limits: Pick<TimeLimits, 'repairAfterMs' | 'repairEveryMs'>;
  /** What is younger than this may still be under way. Milliseconds; absent: as the limits say. */
  readonly patience?: number;
  readonly every?: number;
  readonly onError: (error: unknown, id?: string) => void;
}

export type Repair = ReturnType<typeof startRepair>;

export function startRepair({
  unfinished,
  finish,
  now,
  limits,
  patience = limits.repairAfterMs,
  every = limits.repairEveryMs,
  onError,
}: RepairOptions) {
  const stop = new AbortController();

  async function round(): Promise<void> {
    for (const id of await unfinished(now() - patience)) {
      if (stop.signal.aborted) return;
      // One that cannot be finished does not hold up the others.
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
    /** Finishes the piece under way. */
    async stop(): Promise<void> {
      stop.abort();
      await running;
    },
  };
}
