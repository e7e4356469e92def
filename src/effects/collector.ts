/**
 * Reads the log and adds effects that began to the table of work, in one transaction with its checkpoint. An effect of a
 * process that ended right after the append is continued therefore, too. Also notes recorded steps.
 */
import type { ClientBase } from 'pg';
import type { EffectStore, NewEffect } from '../engines/postgres/effects.js';
import type { StoredEvent } from '../events/core/log.js';
import type { LeaseHolder } from '../events/core/time-limits.js';
import { effectIdOf, stepOf, type EffectStep } from '../events/effects/progress.js';
import type { BegunData, EffectSteps } from '../events/effects/steps.js';
import { startFollower, type Follower } from '../projections/core/follower.js';
import type { Parts } from '../projections/core/parts.js';
import type { effectsReader } from './reader.js';

export interface CollectorOptions extends Parts<'log' | 'pool' | 'progress' | 'onError'> {
  readonly reader: NonNullable<ReturnType<typeof effectsReader>>;
  /** This process. */
  readonly owner: LeaseHolder;
  readonly kinds: readonly EffectSteps[];
  readonly store: Pick<EffectStore, 'add' | 'note'>;
  /** Delay after which a worker may claim an effect that a request has just started, in milliseconds. */
  readonly graceMs: number;
}

export function startCollector({ kinds, store, graceMs, ...options }: CollectorOptions): Follower {
  async function storeSteps(db: ClientBase, events: readonly StoredEvent[]): Promise<void> {
    const begun: NewEffect[] = [];
    const further: { effectId: string; step: EffectStep }[] = [];
    for (const event of events) {
      const found = stepOf(kinds, event.type);
      if (found?.step === 'begun') begun.push(newEffect(found.steps, event));
      else if (found) further.push({ effectId: effectIdOf(event.data), step: found.step });
    }
    if (begun.length > 0) await store.add(db, begun, graceMs);
    await store.note(further, db);
  }

  return startFollower({
    ...options,
    background: true,
    async take({ events }, commit) {
      if (events.some(({ type }) => stepOf(kinds, type))) await commit((db) => storeSteps(db, events));
    },
  });
}

function newEffect({ kind }: EffectSteps, { stream, data, metadata }: StoredEvent): NewEffect {
  const { effect_id, business, about, adapter, account } = data as unknown as BegunData;
  const begunAt = metadata['recorded_at'] as string;
  return { effectId: effect_id, stream, kind, business, about, adapter, account, begunAt };
}
