/**
 * The effects of one stream, for the decider of its area: begins attempts, and records their steps. An ended effect
 * never changes, so two workers that finish the same effect record one result.
 */
import type { Fact } from '../../events/core/codec.js';
import { effectIdFor } from '../../events/effects/effect-id.js';
import { effectIdOf, isEnded, progressAfter, type EffectProgress } from '../../events/effects/progress.js';
import type { EffectCommand, EffectRecord, EffectReply, Settlement } from '../../events/effects/records.js';
import type { EffectSteps } from '../../events/effects/steps.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Decision, PastEvent } from '../core/decider.js';
import { DomainError } from '../core/domain-error.js';
import { newEvent, type NewEvent } from '../core/entity.js';

/** The effects of a stream, by their ids, in the order in which they began. */
export type EffectBook = Map<string, EffectProgress>;

/** Adds an event to the book. Events that record no step of these kinds change nothing. */
export function noteEffect(kinds: readonly EffectSteps[], book: EffectBook, event: PastEvent): EffectBook {
  for (const steps of kinds) {
    const effectId = effectIdOf(event.data);
    const after = progressAfter(steps, book.get(effectId), event);
    if (after) book.set(effectId, after);
  }
  return book;
}

/** The last attempt about a subject; undefined: none began. */
export const lastAttempt = (book: EffectBook, kind: string, about: string): EffectProgress | undefined =>
  [...book.values()].filter((effect) => effect.kind === kind && effect.about === about).at(-1);

export interface Beginning {
  readonly stream: string;
  readonly business: number;
  readonly about: string;
  readonly adapter: string;
  readonly account: string;
  /** Keyed digest of the request (`Effects.digestOf`). */
  readonly digest: string;
}

/**
 * Begins an attempt if there is none, or if the last attempt was refused. Otherwise the reply is the last attempt,
 * which is in progress, is done, or has an unknown result.
 */
export function beginEffect(
  steps: EffectSteps,
  book: EffectBook,
  { stream, business, about, adapter, account, digest }: Beginning,
): Decision<EffectReply> {
  const last = lastAttempt(book, steps.kind, about);
  if (last && last.step !== 'refused') return { facts: [], reply: { effect: last } };
  const attempt = (last?.attempt ?? 0) + 1;
  const effectId = effectIdFor({ stream, kind: steps.kind, about, attempt });
  const data = { effect_id: effectId, business, about, attempt, adapter, account, digest };
  return decided(steps, undefined, effectId, newEvent(steps.begun, data), undefined);
}

/**
 * Records a step, or reads the progress. `subject`: key subject of the personal members. Throws CONFLICT if staff settle
 * an effect whose result is known, unless it is the same result.
 */
export function recordEffect(
  kinds: readonly EffectSteps[],
  book: EffectBook,
  { kind, effectId, record }: EffectCommand,
  subject: string | undefined,
): Decision<EffectReply> {
  const effect = book.get(effectId);
  const steps = kinds.find((one) => one.kind === kind);
  if (!effect || !steps || effect.kind !== kind) return { facts: [], reply: { effect: undefined } };
  if (!record || !isNews(effect, record)) return { facts: [], reply: { effect } };
  return decided(steps, effect, effectId, eventOf(steps, effectId, record), subject);
}

/** Whether the record changes anything. Throws CONFLICT. */
function isNews(effect: EffectProgress, record: EffectRecord): boolean {
  const settled = 'settled' in record ? record.settled : undefined;
  if (settled && effect.step !== 'left_open' && !(effect.settledBy !== undefined && effect.step === record.step))
    throw new DomainError('CONFLICT');
  if (isEnded(effect)) return false;
  if (record.step === 'reserved') return effect.step === 'begun';
  return record.step !== effect.step;
}

function eventOf({ reserved, done, refused, leftOpen }: EffectSteps, effectId: string, record: EffectRecord): NewEvent {
  const about = { effect_id: effectId };
  switch (record.step) {
    case 'reserved':
      return newEvent(reserved, { ...about, remote_id: record.remoteId });
    case 'done':
      return newEvent(done, { ...about, result: record.result, ...settledBy(record.settled) });
    case 'refused': {
      const { code, text, final, settled } = record;
      return newEvent(refused, { ...about, code, ...(text !== undefined && { text }), final, ...settledBy(settled) });
    }
    case 'left_open':
      return newEvent(leftOpen, { ...about, cause: record.cause });
  }
}

const settledBy = (settled: Settlement | undefined) =>
  settled && { settled_by: settled.by, evidence: settled.evidence };

function decided(
  steps: EffectSteps,
  before: EffectProgress | undefined,
  effectId: string,
  { type, data }: NewEvent,
  subject: string | undefined,
): Decision<EffectReply> {
  const fact: Fact = {
    id: derivedId('effect step', effectId, type.type),
    type,
    data,
    ...(subject !== undefined && { subject }),
  };
  return {
    facts: [fact],
    reply: { effect: progressAfter(steps, before, { type: type.type, data: data as PastEvent['data'] }) },
  };
}
