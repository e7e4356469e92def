/** The result of reading an EPCIS document: native events, each with its parcels and its issues. */
import type { Phase } from '../../events/otep/codes.js';
import type { EventHashes } from './hash.js';
import type { Extensions, Location, Source, Subject } from '../../events/otep/model.js';

/** One problem in the document. */
export interface Issue {
  /** Stable, UPPER_SNAKE. */
  readonly code: IssueCode;
  /** JSON Pointer (RFC 6901) into the posted document. */
  readonly path: string;
  readonly message: string;
}

export type IssueCode =
  | 'REQUIRED'
  | 'WRONG_TYPE'
  | 'UNKNOWN_MEMBER'
  | 'NOT_A_WORD'
  | 'NOT_A_URI'
  | 'NOT_A_TIME'
  | 'NOT_AN_OFFSET'
  | 'NOT_A_FORM'
  | 'TOO_FEW'
  | 'NOT_UNIQUE'
  | 'NOTHING_OBSERVED'
  | 'ILMD_WITHOUT_ADD'
  | 'TIME_OUT_OF_RANGE';

/** A native event as a client pushes it, without the members that the service derives. */
export interface InputEvent extends Extensions {
  readonly otep_version?: string;
  readonly event_id: string;
  /** The event that this one retracts; a retraction has no status. */
  readonly retracts?: string;
  readonly occurred_at: string;
  readonly status_code?: string;
  readonly phase?: Phase;
  readonly location?: Location;
  readonly source?: Source;
  readonly incident_reason?: { readonly code: string; readonly text?: string };
  readonly description?: string;
  readonly raw?: { readonly code?: string; readonly text?: string };
  readonly proof?: { readonly kind: string; readonly url?: string };
}

export interface ValidReading {
  readonly valid: true;
  /** Index in the document's list of events, from 0. */
  readonly index: number;
  /** JSON Pointer to the event. */
  readonly pointer: string;
  /** One subject for each parcel that the event names, without duplicates; empty if it names none. */
  readonly subjects: readonly Subject[];
  /**
   * Where the event first names each parcel: JSON Pointers relative to the event. Absent for an event of this service.
   */
  readonly names?: readonly string[];
  readonly event: InputEvent;
  /** When this service recorded the event; only for its own events. Ingest sets another time. */
  readonly recordedAt?: string;
  /** This service wrote the event: it contains the OTEP extension, and its id identifies it. */
  readonly ours: boolean;
  /** CBV 2.0 event hashes, the same for the same event in any spelling. Absent for an event of this service. */
  readonly hashes?: EventHashes;
  /** The step is `accepting`: a pick-up unless other events show otherwise. */
  readonly accepting?: boolean;
}

export interface InvalidReading {
  readonly valid: false;
  readonly index: number;
  readonly pointer: string;
  /** At least one issue. */
  readonly errors: readonly Issue[];
}

export type EventReading = ValidReading | InvalidReading;

/** Either the document itself is invalid, or each of its events is read separately. */
export type EpcisReading =
  | { readonly valid: false; readonly errors: readonly Issue[] }
  | { readonly valid: true; readonly events: readonly EventReading[] };
