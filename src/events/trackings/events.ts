/** Events of a tracking: the journey of one parcel from one owner's view. Stream `tracking-<id>`. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import type { StoredEvent } from '../core/log.js';
import { derivedId } from '../otep/identity.js';
import { gs1ParcelIn } from '../otep/gs1-parcel.js';
import type { Subject } from '../otep/model.js';
import type { Instant } from '../otep/time.js';

const text = z.string();
const subject = z.object({
  tracking_number: text.optional(),
  order_id: text.optional(),
  package_id: text.optional(),
  external_tracking_number: text.optional(),
  gs1_sscc: text.optional(),
  piece_id: text.optional(),
});

export const ownerSchema = z.object({ kind: z.enum(['provider', 'business']), id: text });
/** The provider or business that opened a tracking. Only it, and writers that were granted access, can write to it. */
export type Owner = z.infer<typeof ownerSchema>;

/** Name under which an owner writes scans. A business's name contains a colon; provider ids never do. */
export const writerName = ({ kind, id }: Owner): string => (kind === 'business' ? `business:${id}` : id);

export const TrackingOpened = eventType(
  'TrackingOpened',
  z.object({
    owner: ownerSchema,
    /** Normalized number, or another identifier prefixed with its kind. */
    number: text,
    /** Starts at 0, and increases each time the number is reused long after the end of the journey. */
    generation: z.int(),
    profile: text,
    subject,
  }),
);

/** Additional identifiers of the same parcel became known. */
export const TrackingIdentified = eventType('TrackingIdentified', z.object({ subject }));

/** A provider may write to a tracking that it did not open. */
export const TrackingWriterGranted = eventType('TrackingWriterGranted', z.object({ provider: text }));
/** `refuses_all`: scans from before the end of the access are refused, too. */
export const TrackingWriterRevoked = eventType(
  'TrackingWriterRevoked',
  z.object({ provider: text, refuses_all: z.literal(true).optional() }),
  { version: 2, upcast: { 1: (data) => data } },
);

/**
 * The delivery time from the order's schedule. Times are stored with their offset of that time, so a later change of
 * time zone rules does not change past plans.
 */
export const TrackingDeliveryPlanned = eventType(
  'TrackingDeliveryPlanned',
  z.object({
    /** `YYYY-MM-DD`, in the business's time zone. */
    date: text,
    /** RFC 3339 with the offset of the business's time zone, earliest first. */
    windows: z.array(z.object({ from: text, to: text })),
    /** RFC 3339: end of the last window, or of the day if there is no window. */
    by: text,
    /** Revision of the order event from which it was derived. */
    order_revision: z.int(),
  }),
);
export type PlannedDelivery = z.infer<typeof TrackingDeliveryPlanned.schema>;

/** A scan as a producer reported it. */
const scan = z.object({
  /** The producer's id, or a derived one. */
  event_id: text,
  /** Provider that pushed the event. */
  provider: text,
  otep_version: text,
  /** Exactly as received; `instant` is the same moment in UTC with nine fraction digits. */
  occurred_at: text,
  instant: text,
  status_code: text,
  /** Only for an experimental code that was sent with one. */
  phase: text.optional(),
  /** Coordinates are rounded to two decimals; the exact ones are personal. */
  location: z
    .object({
      name: personal(text),
      public_name: text.optional(),
      code: text.optional(),
      city: text.optional(),
      region: text.optional(),
      postal_code: text.optional(),
      country: text.optional(),
      latitude: z.number().optional(),
      longitude: z.number().optional(),
      exact: personal(z.object({ latitude: z.number(), longitude: z.number() })),
    })
    .optional(),
  source: z
    .object({
      type: text.optional(),
      name: personal(text),
      public_name: text.optional(),
      provider: text.optional(),
      ref: text.optional(),
      /** Carrier whose table of status codes contains the raw code. */
      carrier: text.optional(),
      recorded_at: text.optional(),
    })
    .optional(),
  incident_reason: z.object({ code: text, text: personal(text) }).optional(),
  raw: z.object({ code: text.optional(), text: personal(text) }).optional(),
  description: personal(text),
  proof: personal(z.object({ kind: text, url: text.optional() })),
  extensions: personal(z.record(text, z.unknown())),
  /** Hash of the event that the producer sent with its own id. Equal for two pushes of one report. */
  fingerprint: text.optional(),
  /** CBV event hash of an EPCIS event: the same id with other content is rejected. */
  cbv_hash: text.optional(),
  /**
   * The same hash by earlier rules, which excluded certificationInfo and included comments. Recorded before
   * `cbv_hash` existed, and only if it was not the event's id.
   */
  event_hash: text.optional(),
  /**
   * Keyed hash of the personal members, with the key of the tracking: shows whether a repeated push has the same
   * content. Once the key is destroyed, it reveals nothing.
   */
  personal_hash: text.optional(),
});

/** Version 2 adds `personal_hash` and `source.carrier`. */
export const TrackingEventRecorded = eventType('TrackingEventRecorded', scan, {
  version: 2,
  upcast: { 1: (data) => data },
});

/** An event whose raw code no table contained. It is hidden, and changes no status, until it is mapped. */
export const TrackingEventKept = eventType('TrackingEventKept', scan);

/** A kept event got a status: the whole event, because it appears in the timeline only now. */
export const TrackingEventMapped = eventType('TrackingEventMapped', scan);

export type RecordedScan = z.infer<typeof TrackingEventRecorded.schema>;

/**
 * A known scan was reported again, with members that add to the recorded ones or correct them. It contains the complete
 * report; readers merge the reports of a scan (see merging.ts).
 */
export const TrackingEventAmended = eventType('TrackingEventAmended', scan);

const INSTANT = /"instant":"([^"]*)"/;

/**
 * The instant of a decoded TrackingEventRecorded, without parsing its JSON. No other member can match the pattern:
 * - Places, sources and codes of a scan have only member names of this service.
 * - Members that the producer names are encrypted.
 * - In texts, quotes are escaped.
 */
export function instantOfScan(event: Pick<StoredEvent, 'data' | 'json'>): Instant {
  const found = event.json === undefined ? undefined : INSTANT.exec(event.json)?.[1];
  return (found ?? event.data['instant']) as Instant;
}

/**
 * A wrong scan was retracted. The retraction may arrive before the scan, and applies only to a scan of the same
 * provider.
 */
export const TrackingEventRetracted = eventType(
  'TrackingEventRetracted',
  z.object({
    event_id: text,
    provider: text,
    /** event_id of the scan. */
    retracts: text,
    occurred_at: text,
    /** `x-` members of a pure retraction, for example an error declaration in another format. */
    extensions: personal(z.record(text, z.unknown())),
    fingerprint: text.optional(),
  }),
);
export type Retraction = z.infer<typeof TrackingEventRetracted.schema>;

/** A retracted scan did occur after all: the retractions of its provider no longer apply. */
export const TrackingRetractionWithdrawn = eventType(
  'TrackingRetractionWithdrawn',
  z.object({
    provider: text,
    /** event_id of the scan. */
    retracts: text,
    withdrawn: z.literal(true),
  }),
);

export const TRACKING_EVENTS = [
  TrackingOpened,
  TrackingIdentified,
  TrackingWriterGranted,
  TrackingWriterRevoked,
  TrackingDeliveryPlanned,
  TrackingEventRecorded,
  TrackingEventAmended,
  TrackingEventKept,
  TrackingEventMapped,
  TrackingEventRetracted,
  TrackingRetractionWithdrawn,
] as const;

export const TRACKING_PREFIX = 'tracking-';

/** Id of an owner's tracking with a number; its stream is derived from it. */
export const trackingId = (owner: Owner, number: string, generation: number): string =>
  derivedId('tracking', owner.kind, owner.id, number, generation);
export const trackingStream = (id: string): string => `${TRACKING_PREFIX}${id}`;

/** Id of the stored event of a scan. Derived, so that a retry of the push has the same id. */
export const scanEventId = (tracking: string, eventId: string): string =>
  derivedId('event', tracking, `scan ${eventId}`);

/** Id of the event that gives a kept event its status. */
export const mappedEventId = (tracking: string, eventId: string): string => derivedId('mapped', tracking, eventId);

/**
 * The identifiers of a validated subject in the form that is used for searches. The stream is keyed by the first
 * identifier.
 */
export function identifiersOf({
  tracking_number,
  gs1_sscc,
  piece_id,
  package_id,
  order_id,
  external_tracking_number,
}: Subject): string[] {
  return [
    tracking_number,
    gs1_sscc !== undefined && `sscc:${gs1_sscc}`,
    ...pieceOf(piece_id),
    package_id !== undefined && `package:${package_id}`,
    order_id !== undefined && `order:${order_id}`,
    external_tracking_number !== undefined && `external:${external_tracking_number}`,
  ].filter((identifier) => typeof identifier === 'string');
}

/** A piece id that is a GS1 identifier counts in its canonical form, so that all its notations are the same piece. */
function pieceOf(piece_id: string | undefined): string[] {
  if (piece_id === undefined) return [];
  const { gs1_sscc, piece_id: canonical = piece_id } = gs1ParcelIn(piece_id) ?? {};
  return [gs1_sscc === undefined ? `piece:${canonical}` : `sscc:${gs1_sscc}`];
}

/**
 * Whether the key of a stream is a tracking number. Tracking numbers have no lower-case letters; the kind prefixes of
 * other identifiers do.
 */
export const isTrackingNumber = (key: string): boolean => !/^[a-z]+:/.test(key);
