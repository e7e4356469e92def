/** What can be asked of a tracking, and what is answered. */
import type { Subject } from '../../events/otep/model.js';
import type { Owner, PlannedDelivery, RecordedScan, Retraction } from '../../events/trackings/events.js';

/** One pushed event, as facts in waiting: a scan, a retraction, or both. */
export interface Pushed {
  readonly scan?: RecordedScan;
  readonly retraction?: Retraction;
  /**
   * What the tracking's past has to say before the scan is recorded. `first_custody`: a pick-up, or a change of hands
   * (`in_transit`) where the carrier had the parcel before. `status_change`: from a source that knows the current
   * status alone (rule 5 of the protocol), so it is news only where the status is another one.
   */
  readonly rule?: 'first_custody' | 'status_change';
  /**
   * CBV event hashes of a foreign EPCIS event: the one that is recorded with it, the one that was recorded before the
   * layout of CBV 2.0, the one before there was `cbv_hash`, and those that other software may have given it as its id.
   */
  readonly hashes?: {
    readonly given: string;
    readonly earlier: string;
    readonly former: string;
    readonly foreign: readonly string[];
  };
}

/** `event_id`: the id under which the event is stored, where that is not its own. */
export type Outcome =
  | { readonly outcome: 'accepted' | 'duplicate'; readonly event_id?: string }
  | { readonly outcome: 'later_generation' }
  | { readonly outcome: 'rejected'; readonly code: RejectionCode };
export type RejectionCode =
  'UNKNOWN_SHIPMENT' | 'NUMBER_RESERVED' | 'NOT_YOUR_SHIPMENT' | 'NOT_YOUR_EVENT' | 'EVENT_ID_REUSED';

export interface Opening {
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly profile: string;
}

export type TrackingCommand =
  | {
      readonly kind: 'push';
      readonly id: string;
      readonly provider: string;
      readonly subject: Subject;
      readonly pushed: readonly Pushed[];
      /** Absent: only an open tracking is written. */ readonly opening?: Opening;
      /** What the order's schedule says beside it. */ readonly planned?: PlannedDelivery | undefined;
      /** Was judged before as a part of a whole: nothing of it is refused any more. */ readonly admitted?: boolean;
    }
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly subject: Subject;
      readonly opening: Opening;
      readonly writers: readonly string[];
    }
  | { readonly kind: 'plan'; readonly id: string; readonly planned: PlannedDelivery }
  | { readonly kind: 'grant' | 'revoke'; readonly id: string; readonly provider: string };
