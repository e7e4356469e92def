/** Claims due effects and continues them in parallel; any number of processes can do so. */
import type { EffectStore } from '../engines/postgres/effects.js';
import type { TimeLimits } from '../events/core/time-limits.js';
import type { Performer } from './performer.js';
import { startLoop } from './wakeable-loop.js';

/** Maximum number of effects that a process continues at the same time. */
const MAX_CONCURRENT = 64;

export interface RunnerOptions {
  readonly store: Pick<EffectStore, 'claimDue'>;
  readonly performer: Pick<Performer, 'perform'>;
  readonly limits: TimeLimits;
  /** UUID of this process. */
  readonly worker: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `effectId`: absent for an error that concerns no single effect. */
  readonly onError: (error: unknown, effectId?: string) => void;
}

export type Runner = ReturnType<typeof startRunner>;

export function startRunner({ store, performer, limits, worker, now, onError }: RunnerOptions) {
  const active = new Set<Promise<unknown>>();

  async function round(): Promise<boolean> {
    const free = MAX_CONCURRENT - active.size;
    if (free === 0) return false;
    const claimedAt = now();
    const claimed = await store.claimDue(worker, free, limits.effectClaimMs);
    for (const effect of claimed) {
      const work: Promise<unknown> = performer
        .perform({ ...effect, claimedAt, isNew: false })
        .catch((error: unknown) => onError(error, effect.effectId))
        .finally(() => {
          active.delete(work);
          loop.wake();
        });
      active.add(work);
    }
    return false;
  }

  const loop = startLoop({ round, everyMs: limits.effectPollMs, onError });
  return {
    wake: loop.wake,
    /** Stops claiming effects, and waits for effects in progress. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(active);
    },
  };
}
