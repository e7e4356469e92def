/**
 * Event types of an effect: a call to an external system that must take effect once. The effect belongs to the stream
 * of its subject, and each area names the types of its effects.
 */
import { z } from 'zod';
import { eventType, personal, type EventType } from '../core/event-types.js';

const begunSchema = z.object({
  effect_id: z.uuid(),
  business: z.int(),
  /** The subject within the stream, such as the id of a package. */
  about: z.string(),
  /** From 1. Each attempt is a separate effect. */
  attempt: z.int().min(1),
  adapter: z.string(),
  account: z.string(),
  /** Keyed digest of the request: an attempt never continues with another request. */
  digest: z.string(),
});
const reservedSchema = z.object({ effect_id: z.uuid(), remote_id: z.string() });
/** Members of an effect that staff settled. */
const settled = { settled_by: z.int().optional(), evidence: personal(z.string()) };
const refusedSchema = z.object({
  effect_id: z.uuid(),
  code: z.string(),
  text: personal(z.string()),
  /** The external system will refuse the same request again. */
  final: z.boolean(),
  ...settled,
});
const leftOpenSchema = z.object({ effect_id: z.uuid(), cause: z.string() });

export type BegunData = z.infer<typeof begunSchema>;
export type ReservedData = z.infer<typeof reservedSchema>;
export type RefusedData = z.infer<typeof refusedSchema>;
export type LeftOpenData = z.infer<typeof leftOpenSchema>;
/** `result`: as the area's schema of the result defines it. */
export interface DoneData {
  readonly effect_id: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly settled_by?: number | undefined;
  readonly evidence?: string | undefined;
}

export interface EffectSteps {
  /** The kind of the effect in lists and metrics, such as `label_purchase`. */
  readonly kind: string;
  readonly begun: EventType<BegunData>;
  readonly reserved: EventType<ReservedData>;
  readonly done: EventType<DoneData>;
  readonly refused: EventType<RefusedData>;
  readonly leftOpen: EventType<LeftOpenData>;
  /** The members of `result` of a done effect. */
  readonly result: z.ZodObject;
}

/** Names of the event types of an effect. */
export type StepNames = Readonly<Record<'begun' | 'reserved' | 'done' | 'refused' | 'leftOpen', string>>;

/** Defines the event types of one kind of effect. Personal members of `result` are encrypted like all others. */
export function effectSteps(kind: string, names: StepNames, result: z.ZodObject): EffectSteps {
  return {
    kind,
    begun: eventType(names.begun, begunSchema),
    reserved: eventType(names.reserved, reservedSchema),
    done: eventType(
      names.done,
      z.object({ effect_id: z.uuid(), result, ...settled }),
    ) as unknown as EventType<DoneData>,
    refused: eventType(names.refused, refusedSchema),
    leftOpen: eventType(names.leftOpen, leftOpenSchema),
    result,
  };
}

/** The event types of an effect, for `events` of the area's streams. */
export const stepEvents = ({ begun, reserved, done, refused, leftOpen }: EffectSteps): readonly EventType[] =>
  [begun, reserved, done, refused, leftOpen] as unknown as readonly EventType[];
