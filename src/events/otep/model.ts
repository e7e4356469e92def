/**
 * The native OTEP documents as types: what a timeline says. Shapes and rules: the protocol, sections "Timeline" and
 * "Event".
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

/** At least one identifier; `tracking_number` wins as the one a timeline is read by. */
export interface Subject {
  readonly tracking_number?: string;
  readonly order_id?: string;
  readonly package_id?: string;
  readonly external_tracking_number?: string;
  readonly gs1_sscc?: string;
  readonly piece_id?: string;
}

/** The members of a subject, the one that names a parcel best first; anyone may read by the first four. */
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
  /** UN/LOCODE, GLN or the producer's own. */
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
  /** The producer's own record time, RFC 3339. */
  readonly recorded_at?: string;
}

export type Extensions = { readonly [key: `x-${string}`]: unknown };

export interface TimelineEvent extends Extensions {
  readonly otep_version: string;
  readonly event_id: string;
  /** RFC 3339 with offset, to the letter as it was sent. */
  readonly occurred_at: string;
  /** RFC 3339, UTC: when this service recorded it. Absent in a document that was never stored. */
  readonly recorded_at?: string;
  readonly status_code: string;
  readonly status_id: string;
  /** Absent for an experimental code that was given none: such an event is information and moves no status. */
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

/** An event that its producer took back; only the full view of a timeline has these. */
export interface RetractedEvent {
  readonly event: TimelineEvent;
  /** RFC 3339, UTC: when the retraction was recorded (for a document: when it says it happened). */
  readonly retracted_at: string;
  /** `x-` members of the retraction itself: a foreign error declaration, for one. */
  readonly extensions?: Extensions;
}

/** The native timeline, oldest event first (rule 1). */
export interface Timeline {
  readonly otep_version: string;
  readonly profile: string;
  readonly subject: Subject;
  /** null while no event has moved the status. */
  readonly current_status: string | null;
  readonly current_phase: Phase | null;
  readonly terminal_status: TerminalStatus | null;
  readonly delivered: boolean;
  readonly events: readonly TimelineEvent[];
}

/** When a parcel is to be delivered, as whoever delivers it planned; a plan, never a forecast. */
export interface DeliveryPlan {
  /** `YYYY-MM-DD`, where it is delivered. */
  readonly date: string;
  /** RFC 3339 with the offset of that day's clocks, earliest first; none: at any time of the day. */
  readonly windows: readonly { readonly from: string; readonly to: string }[];
  /** RFC 3339: the end of the last window, else of the day. */
  readonly by: string;
}

/**
 * What serializers read: a timeline, what was retracted from it, and a stable UUID for every event (by event_id), which
 * foreign formats use as the event's identity. The same input gives the same bytes.
 */
export interface Journey {
  readonly timeline: Timeline;
  readonly retracted: readonly RetractedEvent[];
  readonly uuidOf: (event: TimelineEvent) => string;
  /** Changes with every recorded or retracted event; 0 for a document that was never stored. */
  readonly revision: number;
  /**
   * Who opened the tracking (a provider's or business's id), for formats that name a carrier. Absent for a document
   * that was never stored.
   */
  readonly carrier?: string;
  /** While the journey has not ended; absent where nobody planned, and for a document that was never stored. */
  readonly planned?: DeliveryPlan;
  /** What outsiders call whose answer this is, and whose others there are under the number that was asked for. */
  readonly whose?: Whose;
}

export interface Whose {
  readonly carrier: string;
  /** Without `carrier` itself. */
  readonly alternatives: readonly string[];
}
