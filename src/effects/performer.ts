/**
 * Continues one effect from its last recorded step (docs/effects.md has the table). Nothing is sent before the step that
 * it needs is durable (E1), and only a worker with a claim sends anything (E3).
 */
import type { Cause } from '../commands/core/handle.js';
import type { EffectResult, NotDone, Outcome } from '../engines/outside/adapter.js';
import type { Circuits } from '../engines/outside/circuits.js';
import type { ClaimedEffect, EffectStore } from '../engines/postgres/effects.js';
import { withTimeout } from '../engines/timeouts.js';
import type { TimeLimits } from '../events/core/time-limits.js';
import { isEnded, type EffectProgress } from '../events/effects/progress.js';
import type { EffectRecord } from '../events/effects/records.js';
import { checkAdapter, type EffectKind } from './kinds.js';

export interface PerformerOptions {
  readonly kinds: () => ReadonlyMap<string, EffectKind>;
  readonly store: Pick<EffectStore, 'note' | 'postpone'>;
  readonly circuits: Circuits;
  readonly limits: TimeLimits;
  /** UUID of this process. */
  readonly worker: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Keyed digest of a request. */
  readonly digestOf: (request: unknown) => string;
}

/** A claim of this process. */
export interface Claim extends ClaimedEffect {
  /** Milliseconds since 1970: when the claim was requested. It ends `effectClaimMs` later at the earliest. */
  readonly claimedAt: number;
  /** The same request appended the beginning and made this claim, so nothing was sent before. */
  readonly isNew: boolean;
}

export type Performer = ReturnType<typeof createPerformer>;

/** Cause of an effect whose request is not the one that began it, or was erased. */
const CHANGED = 'request_changed';

/** Cause of the commands that a worker sends. */
export const causeOf = (effectId: string, business?: number): Cause => ({
  correlationId: effectId,
  actor: { kind: 'system', id: 'effects' },
  channel: 'system',
  ...(business !== undefined && { business: String(business) }),
});

export function createPerformer({ kinds, store, circuits, limits, worker, now, digestOf }: PerformerOptions) {
  /** The effect now, or after the record; undefined: the stream has no such effect. */
  async function progressOf({ kind, stream, effectId }: Pick<ClaimedEffect, 'kind' | 'stream' | 'effectId'>) {
    const { reply } = await kindOf(kind).handle(stream, { do: 'effect', kind, effectId }, causeOf(effectId));
    return reply.effect;
  }

  function kindOf(name: string): EffectKind {
    const kind = kinds().get(name);
    if (!kind) throw new Error(`No area performs effects of kind ${name}.`);
    return kind;
  }

  /** Calls the adapter. Its result is unknown if it throws or does not respond in time. */
  async function call<Result>(
    account: { readonly adapter: string; readonly account: string },
    send: (signal: AbortSignal) => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    const over = new AbortController();
    // An adapter that throws at once is treated like one that rejects.
    const sent = async (signal: AbortSignal) => send(signal);
    const timedOut: Outcome<Result> = { is: 'unknown', cause: 'timeout' };
    const outcome = await withTimeout(sent(over.signal), limits.effectCallMs, () => new CallTimeout()).catch(
      (error: unknown): Outcome<Result> =>
        error instanceof CallTimeout ? timedOut : { is: 'unknown', cause: 'error' },
    );
    over.abort();
    circuits.note(account, outcome.is !== 'unknown');
    return outcome;
  }

  /**
   * Continues the effect until it ends or must wait. Returns its progress; undefined: the stream has no such effect.
   * Throws if the log or the database fails; the claim then expires.
   */
  async function perform(claim: Claim): Promise<EffectProgress | undefined> {
    const { effectId, stream } = claim;
    const kind = kindOf(claim.kind);
    let effect = await progressOf(claim);
    if (!effect || isEnded(effect) || effect.step === 'left_open') {
      if (effect) await store.note([{ effectId, step: effect.step }]);
      else await store.postpone(effectId, worker, limits.effectMaxRetryMs, 'unknown_effect');
      return effect;
    }
    const { business, account } = effect;
    const adapter = kind.adapter(effect.adapter);
    if (!adapter) return retryLater('no_adapter');
    checkAdapter(adapter);
    const request = await kind.request(stream, effectId);
    // Otherwise the external system would get another request under the same key.
    const canSend = request !== undefined && digestOf(request) === effect.digest;
    const callWith = (signal: AbortSignal) => ({ business, account, key: effectId, signal });
    const target = { adapter: adapter.name, account };

    // Whether an action may have been sent already.
    let mayBeSent = !(claim.isNew && claim.claims === 1);
    if (effect.step === 'begun' && adapter.reserve) {
      if (!canSend) return leaveOpen(CHANGED);
      if (isUnavailable()) return waitForCircuit();
      const reserved = await call(target, (signal) => adapter.reserve!({ ...callWith(signal), request }));
      if (reserved.is === 'unknown') return retryLater(reserved.cause);
      if (reserved.is === 'not_done') return refuse(reserved);
      const { after, changed } = await record({ step: 'reserved', remoteId: reserved.result.remoteId });
      effect = after;
      // Another worker may have reserved, and acted, in the meantime.
      mayBeSent = !changed;
      if (effect.step !== 'reserved') return effect;
    }
    const { remoteId } = effect;
    if (mayBeSent) {
      if (adapter.dedupe === 'none' && effect.step === 'begun') return leaveOpen('not_repeatable');
      if (isUnavailable()) return waitForCircuit();
      const seen = await call(target, (signal) => adapter.look({ ...callWith(signal), remoteId, request }));
      if (seen.is === 'done') return finish(seen.result);
      if (adapter.dedupe === 'none') return leaveOpen('not_repeatable');
      if (seen.is === 'unknown') return retryLater(seen.cause);
    }
    if (!canSend) return leaveOpen(CHANGED);
    if (isUnavailable()) return waitForCircuit();
    // The rest of the claim must outlast the action.
    if (limits.effectClaimMs - (now() - claim.claimedAt) < limits.effectActMs) return wait(0);
    const acted = await call(target, (signal) => adapter.act({ ...callWith(signal), request, remoteId }));
    if (acted.is === 'done') return finish(acted.result);
    if (acted.is === 'not_done') return refuse(acted);
    return adapter.dedupe === 'none' ? leaveOpen(acted.cause) : retryLater(acted.cause);

    function isUnavailable(): boolean {
      return circuits.waitOf(target) > 0;
    }

    function finish(result: EffectResult): Promise<EffectProgress> {
      const parsed = kind.steps.result.safeParse(result);
      // A result that the area cannot read is no proof.
      if (!parsed.success) return retryLater('unreadable');
      return record({ step: 'done', result: parsed.data }).then(({ after }) => after);
    }

    async function refuse({ code, text, final }: NotDone): Promise<EffectProgress> {
      return (await record({ step: 'refused', code, text, final })).after;
    }

    async function leaveOpen(cause: string): Promise<EffectProgress> {
      await store.postpone(effectId, worker, limits.effectRetryMs, cause);
      return (await record({ step: 'left_open', cause })).after;
    }

    async function retryLater(cause: string): Promise<EffectProgress> {
      if (now() - claim.begunAt.getTime() >= limits.effectGiveUpMs) return leaveOpen(cause);
      const delay = limits.effectRetryMs * 4 ** Math.min(claim.attempts, 16);
      return wait(Math.min(delay, limits.effectMaxRetryMs), cause);
    }

    function waitForCircuit(): Promise<EffectProgress> {
      return wait(circuits.waitOf(target));
    }

    async function wait(afterMs: number, cause?: string): Promise<EffectProgress> {
      await store.postpone(effectId, worker, afterMs, cause);
      return effect!;
    }

    async function record(step: EffectRecord) {
      const { reply, changed } = await kind.handle(
        stream,
        { do: 'effect', kind: claim.kind, effectId, record: step },
        causeOf(effectId, business),
      );
      const after = reply.effect!;
      await store.note([{ effectId, step: after.step }]);
      return { after, changed };
    }
  }

  /** False while another version of the service performs effects of this kind, such as during an update. */
  const knows = (kind: string): boolean => kinds().has(kind);

  return { perform, progressOf, kindOf, knows, call };
}

class CallTimeout extends Error {
  override readonly name = 'CallTimeout';
}
