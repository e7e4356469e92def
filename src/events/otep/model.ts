/**
 * Types of the native OTEP documents: the content of a timeline. Shapes and rules: the protocol, sections "Timeline"
 * and "Event".
 */
import type { Phase, TerminalStatus } from './codes.js';

export const OTEP_VERSION = '0.1';
export const PROFILE = 'parcel';

export const SOURCE_TYPES = [
  'self_delivery',
  'third_party_delivery',
  'carrier',
  'node_scan',
  'driver',
  'locker',
  'storage',
  'platform',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];
export const ANOMALIES = ['after_terminal', 'before_creation', 'in_the_future'] as const;
export type Anomaly = (typeof ANOMALIES)[number];
export const PROOF_KINDS = ['signature', 'photo', 'pin'] as const;

/** At least one identifier. If `tracking_number` is present, the timeline is read by it. */
export interface Subject {
  readonly tracking_number?: string;
  readonly order_id?: string;
  readonly package_id?: string;
  readonly external_tracking_number?: string;
  readonly gs1_sscc?: string;
  readonly piece_id?: string;
}

/** The members of a subject, the most specific identifier first. The first four allow public reads. */
export const IDENTIFIERS = [
  'tracking_number',
  'external_tracking_number',
  'gs1_sscc',
  'piece_id',
  'package_id',
  'order_id',
] as const satisfies readonly (keyof Subject)[];

export interface Location {
  readonly name?: string;
  /** UN/LOCODE, GLN or the producer's own code. */
  readonly code?: string;
  readonly city?: string;
  readonly region?: string;
  readonly postal_code?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** Degrees, WGS 84. */
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface Source {
  readonly type?: SourceType;
  readonly name?: string;
  readonly provider?: string;
  readonly ref?: string;
  /** Carrier whose table of status codes contains the raw code, if an aggregator sends the event. */
  readonly carrier?: string;
  /** The time at which the producer recorded it, RFC 3339. */
  readonly recorded_at?: string;
}

export type Extensions = { readonly [key: `x-${string}`]: unknown };

export interface TimelineEvent extends Extensions {
  readonly otep_version: string;
  readonly event_id: string;
  /** RFC 3339 with offset, exactly as received. */
  readonly occurred_at: string;
  /** RFC 3339, UTC: when this service recorded it. Absent in a document that was never stored. */
  readonly recorded_at?: string;
  readonly status_code: string;
  readonly status_id: string;
  /** Absent for an experimental code without a phase: such an event is informational and does not change the status. */
  readonly phase?: Phase;
  readonly phase_id?: string;
  readonly location?: Location;
  readonly source?: Source;
  readonly incident_reason?: { readonly code: string; readonly text?: string };
  readonly description?: string;
  readonly raw?: { readonly code?: string; readonly text?: string };
  readonly proof?: { readonly kind: (typeof PROOF_KINDS)[number]; readonly url?: string };
  readonly anomaly?: Anomaly;
}

/** An event that its producer retracted. Only the full view of a timeline contains these. */
export interface RetractedEvent {
  readonly event: TimelineEvent;
  /** RFC 3339, UTC: when the retraction was recorded. For a document: the time of the retraction that it states. */
  readonly retracted_at: string;
  /** `x-` members of the retraction, for example an error declaration in another format. */
  readonly extensions?: Extensions;
}

/** The native timeline, oldest event first (rule 1). */
export interface Timeline {
  readonly otep_version: string;
  readonly profile: string;
  readonly subject: Subject;
  /** Null until an event sets the status. */
  readonly current_status: string | null;
  readonly current_phase: Phase | null;
  readonly terminal_status: TerminalStatus | null;
  readonly delivered: boolean;
  readonly events: readonly TimelineEvent[];
}

/** The planned delivery time of a parcel, from the deliverer's plan. It is not a forecast. */
export interface DeliveryPlan {
  /** `YYYY-MM-DD`, the local date of the delivery. */
  readonly date: string;
  /** RFC 3339 with the offset of that day, earliest first; empty: at any time of the day. */
  readonly windows: readonly { readonly from: string; readonly to: string }[];
  /** RFC 3339: end of the last window, or of the day if there is no window. */
  readonly by: string;
}

/**
 * Input of the serializers: a timeline, its retracted events, and a stable UUID for every event (by event_id), which
 * other formats use as the event's identity. The same input gives the same bytes.
 */
export interface Journey {
  readonly timeline: Timeline;
  readonly retracted: readonly RetractedEvent[];
  readonly uuidOf: (event: TimelineEvent) => string;
  /** Changes with every recorded or retracted event; 0 for a document that was never stored. */
  readonly revision: number;
  /**
   * Id of the provider or business that opened the tracking, for formats with a carrier name. Absent for a document
   * that was never stored.
   */
  readonly carrier?: string;
  /** Present until the journey has ended; absent without a plan, and for a document that was never stored. */
  readonly planned?: DeliveryPlan;
  /** Present if the number has had several lives: which of them the journey is. */
  readonly life?: { readonly index: number; readonly count: number };
  /** Public names of the tracking's carrier, and of other carriers with a tracking of the requested number. */
  readonly carrierMatch?: CarrierMatch;
}

export interface CarrierMatch {
  readonly carrier: string;
  /** Without `carrier`. */
  readonly alternatives: readonly string[];
  /**
   * Present if the timeline merges the scans of carriers of a network: those with an event in it, in the order of their
   * first events. Each event then names its carrier in `source.provider`.
   */
  readonly carriers?: readonly string[];
}
