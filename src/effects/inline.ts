/**
 * Performs an effect within the request that began it, for a limited time (E2). After that the work continues in the
 * background, and the runner of any process takes over if this process ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cause } from '../commands/core/handle.js';
import type { EffectStore } from '../engines/postgres/effects.js';
import type { TimeLimits } from '../events/core/time-limits.js';
import { isEnded, type EffectProgress } from '../events/effects/progress.js';
import type { Performer } from './performer.js';

/** Interval of the check for the result of another worker, in milliseconds. */
const CHECK_MS = 100;

export interface InlineOptions {
  readonly store: Pick<EffectStore, 'claim'>;
  readonly performer: Performer;
  readonly limits: TimeLimits;
  /** UUID of this process. */
  readonly worker: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown, effectId: string) => void;
}

export interface Begun {
  readonly stream: string;
  /** The reply of the command that began the effect. */
  readonly effect: EffectProgress;
  /** Whether that command appended the beginning. */
  readonly changed: boolean;
  /** Cause of that command: a dry run sends nothing (E5). */
  readonly cause: Pick<Cause, 'dryRun'>;
}

export function createInline({ store, performer, limits, worker, now, onError }: InlineOptions) {
  /**
   * Returns the progress after at most 12 s. A step other than `done` and `refused` means that the effect is pending.
   * Call it after the beginning is durable.
   */
  return async function perform({ stream, effect, changed, cause }: Begun): Promise<EffectProgress> {
    const { effectId, kind } = effect;
    if (cause.dryRun || isSettled(effect)) return effect;
    const over = new AbortController();
    const working = work().catch((error: unknown) => {
      onError(error, effectId);
      return undefined;
    });
    const timeout = sleep(limits.effectInlineMs, undefined, { signal: over.signal }).catch(() => undefined);
    const first = await Promise.race([working, timeout]);
    over.abort();
    return first ?? (await performer.progressOf({ kind, stream, effectId })) ?? effect;

    async function work(): Promise<EffectProgress | undefined> {
      const { business, about, adapter, account, begunAt = new Date(now()).toISOString() } = effect;
      const claimedAt = now();
      const row = { effectId, stream, kind, business, about, adapter, account, begunAt };
      const claimed = await store.claim(row, worker, limits.effectClaimMs);
      if (claimed) return performer.perform({ ...claimed, claimedAt, isNew: changed });
      // Another worker continues it.
      while (!over.signal.aborted) {
        const current = await performer.progressOf({ kind, stream, effectId });
        if (!current || isSettled(current)) return current;
        await sleep(CHECK_MS, undefined, { signal: over.signal }).catch(() => undefined);
      }
      return undefined;
    }
  };
}

const isSettled = (effect: EffectProgress): boolean => isEnded(effect) || effect.step === 'left_open';
