/** Reasons for which parcels come back. Stream `returnreasons-<business>`. A retired code stays readable. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { LANGUAGES } from '../core/languages.js';

export const RETURN_REASONS_PREFIX = 'returnreasons-';
export const returnReasonsStream = (business: number): string => `${RETURN_REASONS_PREFIX}${business}`;

export const labelsSchema = z.partialRecord(z.enum(LANGUAGES), z.string());
export type Labels = z.infer<typeof labelsSchema>;

export const returnReasonSchema = z.object({
  code: z.string(),
  /** Texts by language. */
  labels: labelsSchema,
  /** A return with this reason needs a note, or a photo. */
  needs_note: z.boolean(),
  needs_photo: z.boolean(),
  /** False: it cannot be chosen at the moment. */
  active: z.boolean(),
  /** Reasons are listed by this number, then by code. */
  sort: z.int(),
  /** Incident reason of OTEP that scans with this reason have on the timeline. */
  incident_reason: z.string().optional(),
});
export type ReturnReason = z.infer<typeof returnReasonSchema>;

/** The complete new definition. */
export const ReturnReasonSet = eventType('ReturnReasonSet', returnReasonSchema.extend({ business: z.int() }));
export const ReturnReasonRetired = eventType('ReturnReasonRetired', z.object({ code: z.string(), business: z.int() }));

export const RETURN_REASON_EVENTS = [ReturnReasonSet, ReturnReasonRetired] as const;

/** A reason as it is recorded with a return. The texts are copied then, so later changes of the reason do not affect them. */
export const recordedReasonSchema = z.object({ code: z.string(), labels: labelsSchema });
export type RecordedReason = z.infer<typeof recordedReasonSchema>;
