/**
 * What happens to a capture: an EPCIS document as it was pushed, kept whole before its trackings follow from it. Stream
 * `capture-<id>`.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

const text = z.string();

export const BEHAVIOURS = ['proceed', 'rollback'] as const;
/** Of two things one: what is sound is taken and the rest refused, or everything is taken or nothing. */
export type Behaviour = (typeof BEHAVIOURS)[number];
const behaviour = z.enum(BEHAVIOURS);

/**
 * A further part of a document that is on its way; it counts only once a later `EpcisCaptured` names its digest.
 */
export const EpcisCapturePart = eventType(
  'EpcisCapturePart',
  z.object({ part: z.int(), digest: text, text: personal(text) }),
);

/** A document was taken. */
export const EpcisCaptured = eventType(
  'EpcisCaptured',
  z.object({
    provider: text,
    /** The provider's source type and right to open trackings, as of then. */
    kind: text,
    may_open: z.boolean(),
    behaviour,
    /** RFC 3339, UTC: when the request came, which "in the future" is measured from. */
    captured_at: text,
    /** Events in the document. */
    events: z.int(),
    /** The names of the events that name no parcel: they are kept here alone. */
    unattached: z.array(text),
    /**
     * Ids of the trackings that its events went to: erasing one of them erases the document too. Empty in what
     * was stored before that was known.
     */
    trackings: z.array(text),
    /** Engines limit how much they append at once: this is part 0, the others came before it. */
    parts: z.int(),
    /** SHA-256 of the whole text, in hex. */
    digest: text,
    /** JSON text `{ document, targets }`. Sealed, since extensions of other people may say anything. */
    text: personal(text),
  }),
  { version: 2, upcast: { 1: (data) => ({ ...data, trackings: [] }) } },
);

export const refusalSchema = z.object({
  code: text,
  path: text,
  message: text.optional(),
  params: z.record(text, z.union([text, z.number()])).optional(),
});
/** Why an event was not taken. `path` is a JSON Pointer into the document. */
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

/** Everything that follows from a document has been done. A capture that took nothing has only its end. */
export const EpcisCaptureFinished = eventType(
  'EpcisCaptureFinished',
  z.object({
    provider: text,
    behaviour,
    /** Nothing of it was refused. */
    success: z.boolean(),
    accepted: z.int(),
    duplicates: z.int(),
    rejected: z.int(),
    /** At most `MAX_REFUSALS`. */
    errors: personal(z.array(refusalSchema)),
  }),
);
export type CaptureEnd = z.infer<typeof EpcisCaptureFinished.schema>;

export const MAX_REFUSALS = 1_000;

export const CAPTURE_EVENTS = [EpcisCapturePart, EpcisCaptured, EpcisCaptureFinished] as const;

export const CAPTURE_PREFIX = 'capture-';
export const captureStream = (id: string): string => `${CAPTURE_PREFIX}${id}`;
