/** What happens to a tracking: one parcel's journey as one owner tells it. Stream `tracking-<id>`. */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import type { StoredEvent } from '../core/log.js';
import { derivedId } from '../otep/identity.js';
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
/** Who opened a tracking. Nobody else can write another's number. */
export type Owner = z.infer<typeof ownerSchema>;

/** Under which name an owner writes scans; a business's has a colon, which no provider's id has. */
export const writerName = ({ kind, id }: Owner): string => (kind === 'business' ? `business:${id}` : id);

export const TrackingOpened = eventType(
  'TrackingOpened',
  z.object({
    owner: ownerSchema,
    /** Normalized number, or another identifier with its kind before it. */
    number: text,
    /** 0, and one more each time the number is used again long after its end. */
    generation: z.int(),
    profile: text,
    subject,
  }),
);

/** Further identifiers of the same parcel became known. */
export const TrackingIdentified = eventType('TrackingIdentified', z.object({ subject }));

/** A provider may write to a tracking that it did not open. */
export const TrackingWriterGranted = eventType('TrackingWriterGranted', z.object({ provider: text }));
export const TrackingWriterRevoked = eventType('TrackingWriterRevoked', z.object({ provider: text }));

/**
 * The order's schedule says when the parcel is to be delivered. Times are told as they were understood then: a clock
 * that is changed by law later changes no plan of the past.
 */
export const TrackingDeliveryPlanned = eventType(
  'TrackingDeliveryPlanned',
  z.object({
    /** `YYYY-MM-DD`, in the business's timezone. */
    date: text,
    /** RFC 3339 with the offset of the business's timezone, earliest first. */
    windows: z.array(z.object({ from: text, to: text })),
    /** RFC 3339: the end of the last window, else of the day. */
    by: text,
    /** Revision of the order's event that it follows from. */
    order_revision: z.int(),
  }),
);
export type PlannedDelivery = z.infer<typeof TrackingDeliveryPlanned.schema>;

export const TrackingEventRecorded = eventType(
  'TrackingEventRecorded',
  z.object({
    /** The producer's own, or derived. */
    event_id: text,
    /** Who pushed it. */
    provider: text,
    otep_version: text,
    /** To the letter; `instant` is the same moment in UTC with nine fraction digits. */
    occurred_at: text,
    instant: text,
    status_code: text,
    /** Only where an experimental code was given one. */
    phase: text.optional(),
    /** Coordinates rounded to two decimals; the exact ones are personal. */
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
        recorded_at: text.optional(),
      })
      .optional(),
    incident_reason: z.object({ code: text, text: personal(text) }).optional(),
    raw: z.object({ code: text.optional(), text: personal(text) }).optional(),
    description: personal(text),
    proof: personal(z.object({ kind: text, url: text.optional() })),
    extensions: personal(z.record(text, z.unknown())),
    /** Hash of what the producer sent under an id of its own: the same id with other content is refused. */
    fingerprint: text.optional(),
    /** CBV event hash of a foreign EPCIS event: the same id with other content is refused. */
    cbv_hash: text.optional(),
    /**
     * The same by earlier rules, which left certificationInfo out and counted comments; recorded before there was
     * `cbv_hash`, and only where it was not the event's id.
     */
    event_hash: text.optional(),
  }),
);
export type RecordedScan = z.infer<typeof TrackingEventRecorded.schema>;

const INSTANT = /"instant":"([^"]*)"/;

/**
 * The instant of a decoded TrackingEventRecorded, without parsing its JSON. No other member can have that name: inside
 * a scan's places, sources and codes the names are ours, what its producer names himself is sealed, and a text that
 * says it has its quotes escaped.
 */
export function instantOfScan(event: Pick<StoredEvent, 'data' | 'json'>): Instant {
  const found = event.json === undefined ? undefined : INSTANT.exec(event.json)?.[1];
  return (found ?? event.data['instant']) as Instant;
}

/** A wrong scan was taken back. It may arrive before the scan, and counts only against one of the same provider. */
export const TrackingEventRetracted = eventType(
  'TrackingEventRetracted',
  z.object({
    event_id: text,
    provider: text,
    /** event_id of the scan. */
    retracts: text,
    occurred_at: text,
    /** `x-` members of a retraction that came alone: a foreign error declaration, for one. */
    extensions: personal(z.record(text, z.unknown())),
    fingerprint: text.optional(),
  }),
);
export type Retraction = z.infer<typeof TrackingEventRetracted.schema>;

export const TRACKING_EVENTS = [
  TrackingOpened,
  TrackingIdentified,
  TrackingWriterGranted,
  TrackingWriterRevoked,
  TrackingDeliveryPlanned,
  TrackingEventRecorded,
  TrackingEventRetracted,
] as const;

export const TRACKING_PREFIX = 'tracking-';

/** Id of the tracking that `owner` tells under a number; its stream follows from it. */
export const trackingId = (owner: Owner, number: string, generation: number): string =>
  derivedId('tracking', owner.kind, owner.id, number, generation);
export const trackingStream = (id: string): string => `${TRACKING_PREFIX}${id}`;

/**
 * The identifiers of a checked subject in the form that they are looked up by; the first is the one the stream is keyed
 * by.
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
    piece_id !== undefined && `piece:${piece_id}`,
    package_id !== undefined && `package:${package_id}`,
    order_id !== undefined && `order:${order_id}`,
    external_tracking_number !== undefined && `external:${external_tracking_number}`,
  ].filter((identifier) => typeof identifier === 'string');
}

/**
 * Whether what a stream is keyed by is a tracking number: these have no small letters, the kinds before other
 * identifiers have.
 */
export const isTrackingNumber = (key: string): boolean => !/^[a-z]+:/.test(key);

/** How long after its end a number may mean another parcel: carriers reuse numbers after some months. */
export const REUSE_AFTER_MS = 120 * 24 * 3_600_000;
