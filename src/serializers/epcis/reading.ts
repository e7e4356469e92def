/** What reading an EPCIS document gives: native events, each with the parcels it is about and what is wrong with it. */
import type { Phase } from '../../events/otep/codes.js';
import type { EventHashes } from './hash.js';
import type { Extensions, Location, Source, Subject } from '../../events/otep/model.js';

/** One thing that is wrong. */
export interface Issue {
  /** Stable, UPPER_SNAKE. */
  readonly code: IssueCode;
  /** JSON Pointer (RFC 6901) into the document as it was posted. */
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

/** A native event as it is pushed: what the service derives is not in it. */
export interface InputEvent extends Extensions {
  readonly otep_version?: string;
  readonly event_id: string;
  /** The event that this one takes back; then it has no status. */
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
  /** Place in the document's list of events, from 0. */
  readonly index: number;
  /** JSON Pointer to the event. */
  readonly pointer: string;
  /** One for every parcel that the event names, without repetition; none where it names none. */
  readonly subjects: readonly Subject[];
  /** Where the event names each of them first: JSON Pointers from the event on; absent for an event of ours. */
  readonly names?: readonly string[];
  readonly event: InputEvent;
  /** Came from us: our extension is in it, and its id says enough. */
  readonly ours: boolean;
  /** CBV 2.0 event hashes: the same for the same event, however it is written. Absent for an event of ours. */
  readonly hashes?: EventHashes;
  /** The step is `accepting`: a pick-up, as far as the document shows. */
  readonly accepting?: boolean;
}

export interface InvalidReading {
  readonly valid: false;
  readonly index: number;
  readonly pointer: string;
  /** At least one. */
  readonly errors: readonly Issue[];
}

export type EventReading = ValidReading | InvalidReading;

/** Either the document itself is none, or every event of it is read on its own. */
export type EpcisReading =
  | { readonly valid: false; readonly errors: readonly Issue[] }
  | { readonly valid: true; readonly events: readonly EventReading[] };
