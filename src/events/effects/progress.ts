/** The progress of an effect, as the events of its stream show it. */
import type { JsonObject } from '../core/log.js';
import type { BegunData, EffectSteps, LeftOpenData, RefusedData, ReservedData } from './steps.js';

export const EFFECT_STEPS = ['begun', 'reserved', 'left_open', 'done', 'refused'] as const;
/** The last recorded step. `left_open`: the result is unknown, and the service has stopped to try. */
export type EffectStep = (typeof EFFECT_STEPS)[number];

export interface EffectProgress {
  readonly effectId: string;
  readonly kind: string;
  readonly business: number;
  readonly about: string;
  readonly attempt: number;
  readonly adapter: string;
  readonly account: string;
  readonly digest: string;
  /** RFC 3339; absent while the beginning is being decided. */
  readonly begunAt?: string | undefined;
  readonly step: EffectStep;
  /** The object of the external system, for an effect that was reserved. */
  readonly remoteId?: string;
  /** Id of the user who settled the effect. */
  readonly settledBy?: number | undefined;
  /** The reason, for a refused effect. */
  readonly refusal?: { readonly code: string; readonly final: boolean };
}

export const isEnded = ({ step }: Pick<EffectProgress, 'step'>): boolean => step === 'done' || step === 'refused';

/** The step that an event type records; undefined: the type belongs to no effect of these kinds. */
export function stepOf(kinds: readonly EffectSteps[], type: string) {
  for (const steps of kinds) {
    const step = stepIn(steps, type);
    if (step) return { steps, step };
  }
  return undefined;
}

function stepIn({ begun, reserved, leftOpen, done, refused }: EffectSteps, type: string): EffectStep | undefined {
  const types = { begun, reserved, left_open: leftOpen, done, refused };
  return EFFECT_STEPS.find((step) => types[step].type === type);
}

export type EffectEvent = { readonly type: string; readonly data: JsonObject; readonly recordedAt?: string };

/** The progress after an event; undefined: the event belongs to another kind, or to an effect that never began. */
export function progressAfter(
  steps: EffectSteps,
  before: EffectProgress | undefined,
  { type, data, recordedAt }: EffectEvent,
): EffectProgress | undefined {
  const step = stepIn(steps, type);
  if (step === 'begun') {
    const { effect_id, business, about, attempt, adapter, account, digest } = data as unknown as BegunData;
    const begun = { effectId: effect_id, kind: steps.kind, business, about, attempt, adapter, account, digest };
    return { ...begun, begunAt: recordedAt, step };
  }
  if (!before || step === undefined) return undefined;
  if (step === 'reserved') return { ...before, step, remoteId: (data as unknown as ReservedData).remote_id };
  if (step === 'left_open') return { ...before, step };
  const settledBy = (data as { readonly settled_by?: number }).settled_by;
  if (step === 'done') return { ...before, step, settledBy };
  const { code, final } = data as unknown as RefusedData;
  return { ...before, step, settledBy, refusal: { code, final } };
}

/** The effect of an event of one of these kinds. */
export const effectIdOf = (data: JsonObject): string => (data as unknown as LeftOpenData).effect_id;
