/**
 * Events of a capture: an EPCIS document, stored completely before its trackings are updated from it. Stream
 * `capture-<id>`.
 */
import { z } from 'zod';
import type { Json } from '../core/log.js';
import { eventType, personal } from '../core/event-types.js';
import { derivedId } from '../otep/identity.js';

const text = z.string();

export const BEHAVIOURS = ['proceed', 'rollback'] as const;
/** `proceed`: valid events are accepted and the others rejected. `rollback`: either all events are accepted or none. */
export type Behaviour = (typeof BEHAVIOURS)[number];
const behaviour = z.enum(BEHAVIOURS);

/** Another part of a large document. It counts only after a later `EpcisCaptured` with its digest. */
export const EpcisCapturePart = eventType(
  'EpcisCapturePart',
  z.object({ part: z.int(), digest: text, text: personal(text) }),
);

/**
 * Events of a document with the same trackings, as they were received. They are encrypted separately from the others: the
 * erasure of one person does not affect the events of others. They count only after a later `EpcisCaptured` with their
 * digest.
 */
export const EpcisEventCaptured = eventType(
  'EpcisEventCaptured',
  z.object({
    provider: text,
    /**
     * Ids of the trackings that received the events. The key of a single tracking encrypts its events together; an event
     * of several trackings is stored alone, under a separate key, which the erasure of any of them destroys.
     */
    trackings: z.array(text),
    digest: text,
    /** In the order of `body`. */
    events: z.array(
      z.object({
        /** Index in the document's list of events, from 0. */
        index: z.int(),
        /** The event id that the producer assigned, or else the event's hash. */
        event_id: text,
        /** `capturedEventName` or `declarationName` (names.ts). */
        name: text,
      }),
    ),
    /** JSON text of a list of `ReceivedEvent` (text.ts); in version 1, which had one event, of that event. */
    body: personal(text),
  }),
  {
    version: 2,
    upcast: { 1: ({ index, event_id, name, ...rest }) => ({ ...rest, events: [{ index, event_id, name }] as Json }) },
  },
);
export type CapturedEventData = z.infer<typeof EpcisEventCaptured.schema>;

/** A document was accepted. */
export const EpcisCaptured = eventType(
  'EpcisCaptured',
  z.object({
    provider: text,
    /** The provider's source type, and whether it could open trackings, at that time. */
    kind: text,
    may_open: z.boolean(),
    behaviour,
    /** RFC 3339, UTC: when the request arrived. Later event times count as in the future. */
    captured_at: text,
    /** Number of events in the document. */
    events: z.int(),
    /** Names of the events that name no parcel; they are stored only here. */
    unattached: z.array(text),
    /** Names of the ids that its producer assigned, and of the contents under them (`AssignedId`). Empty in older events. */
    names: z.array(text),
    /**
     * Ids of the trackings that received its events: an erasure of one of them also erases the document. Empty in older
     * events.
     */
    trackings: z.array(text),
    /**
     * Number of parts, because engines limit the size of an append. This event is part 0; the others were appended
     * before it.
     */
    parts: z.int(),
    /** SHA-256 of the whole text, in hex. */
    digest: text,
    /**
     * JSON text of a `CaptureContent` (text.ts). Encrypted, because extensions may contain any personal data. Events that
     * are stored as `EpcisEventCaptured` are null in the document, and so are rejected ones; in older events the document is
     * complete.
     */
    text: personal(text),
  }),
  { version: 3, upcast: { 1: (data) => ({ ...data, trackings: [] }), 2: (data) => ({ ...data, names: [] }) } },
);
/** The first version of `EpcisCaptured` with names. */
export const FIRST_VERSION_WITH_NAMES = 3;

export const refusalSchema = z.object({
  code: text,
  path: text,
  message: text.optional(),
  params: z.record(text, z.union([text, z.number()])).optional(),
});
/** Reason why an event was rejected. `path` is a JSON Pointer into the document. */
export type Refusal = Readonly<z.infer<typeof refusalSchema>>;

/** The document was processed completely. A capture that accepted nothing has only this event. */
export const EpcisCaptureFinished = eventType(
  'EpcisCaptureFinished',
  z.object({
    provider: text,
    behaviour,
    /** Whether no event was rejected. */
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

export const CAPTURE_EVENTS = [EpcisCapturePart, EpcisEventCaptured, EpcisCaptured, EpcisCaptureFinished] as const;

export const CAPTURE_PREFIX = 'capture-';
export const captureStream = (id: string): string => `${CAPTURE_PREFIX}${id}`;

/** Id of the event that stored a capture. Events that follow from the capture have this causation id. */
export const capturedEventId = (id: string): string => derivedId('capture', 'capture', id);

/** Key subject of an event of several trackings. */
export const eventKeyOf = (id: string, index: number): string => `${CAPTURE_PREFIX}${id}-${index}`;
