/** A tracking as the read model keeps it, with all its scans. */
import type { Subject } from '../../events/otep/model.js';
import type { Owner, PlannedDelivery, RecordedScan, Retraction } from '../../events/trackings/events.js';
import type { Naming } from './naming.js';

/** One scan as it is kept: the event's data, still sealed, with its id and our record time. */
export type KeptScan = RecordedScan & Kept;
export type KeptRetraction = Retraction & Kept;

interface Kept {
  readonly id: string;
  /** In the stream. */
  readonly revision: number;
  readonly recorded_at: string;
  readonly $sealed?: { readonly subject: string; readonly box: string };
}

export interface Tracking {
  readonly id: string;
  owner: Owner;
  number: string;
  generation: number;
  subject: Subject;
  writers: string[];
  /** When it is to be delivered, as was said last; null: nobody said. */
  planned: PlannedDelivery | null;
  /** Last revision of the stream that the row holds. */
  revision: number;
  /** When it was opened: RFC 3339, UTC. */
  readonly opened_at: string;
  /** Instant of the latest scan; '' before the first. */
  last_active: string;
  recorded_at: string;
}

/** A tracking as readers see it. */
export interface TrackingRow extends Tracking {
  readonly scans: readonly KeptScan[];
  readonly retractions: readonly KeptRetraction[];
}

/**
 * A tracking as the fold knows it. Scans and retractions are JSON, each followed by a comma, and only those that its
 * table does not have yet: to add one, none of the others need be read, nor anything written out that the log wrote out
 * before.
 */
export interface FoldedTracking extends Tracking {
  scans: string;
  retractions: string;
  /** What else it has been known by, and since when. */
  named: Naming[];
}
