/** A tracking as stored in the read model, with all its scans. */
import type { Subject } from '../../events/otep/model.js';
import type { Owner, PlannedDelivery, RecordedScan, Retraction } from '../../events/trackings/events.js';
import type { Naming } from './naming.js';

/** A scan as stored: the event's data, still encrypted, with its id and the time when the service recorded it. */
export type StoredScan = RecordedScan & StoredMembers;
/** `withdrawn`: the earlier retractions of the scan by its provider no longer apply. */
export type StoredRetraction = Retraction & StoredMembers & { readonly withdrawn?: true };

interface StoredMembers {
  readonly id: string;
  /** Revision in the stream. */
  readonly revision: number;
  /** Position in the log. */
  readonly position: string;
  readonly recorded_at: string;
  readonly $sealed?: { readonly subject: string; readonly box: string };
}

export interface Tracking {
  readonly id: string;
  owner: Owner;
  number: string;
  generation: number;
  /** All identifiers, the latest of each kind. */
  subject: Subject;
  /** The identifiers in the order in which they became known, each with the revision of its event. */
  subjects: { readonly revision: number; readonly subject: Subject }[];
  writers: string[];
  /** Providers whose access has ended. */
  former_writers: string[];
  /** The latest planned delivery; null: none. */
  planned: PlannedDelivery | null;
  /** Last revision of the stream that the row contains. */
  revision: number;
  /** Position in the log at which the tracking was opened, and the time of that event: RFC 3339, UTC. */
  readonly opened: string;
  readonly opened_at: string;
  /** Time of the latest scan; '' if there is none. */
  last_active: string;
  recorded_at: string;
}

/** A tracking in the form that readers get. */
export interface TrackingRow extends Tracking {
  readonly scans: readonly StoredScan[];
  readonly retractions: readonly StoredRetraction[];
}

/**
 * A tracking as the fold uses it. `scans` and `retractions` are JSON items, each followed by a comma, that the table
 * does not contain yet. So appending an item requires no reading of existing ones, and the JSON of the log is reused.
 */
export interface FoldedTracking extends Tracking {
  scans: string;
  retractions: string;
  /** Additional identifiers of the parcel, each with its start time. */
  named: Naming[];
}
