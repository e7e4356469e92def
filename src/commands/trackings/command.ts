/** Commands on a tracking, and their replies. */
import type { Subject } from '../../events/otep/model.js';
import type { Owner, PlannedDelivery, RecordedScan, Retraction } from '../../events/trackings/events.js';

/** One pushed event, before it is recorded: a scan, a retraction, or both. */
export interface Pushed {
  readonly scan?: RecordedScan;
  readonly retraction?: Retraction;
  /**
   * A check against the tracking's past before the scan is recorded:
   *
   * - `first_custody`: recorded as a pick-up, or as a change of hands (`in_transit`) if the carrier already had the
   *   parcel.
   * - `status_change`: the source knows only the current status (rule 5 of the protocol). The scan is a duplicate
   *   unless the status differs.
   */
  readonly rule?: 'first_custody' | 'status_change';
  /**
   * Another report of a known scan is merged with it (rule N10). Otherwise, the id alone identifies the event. The
   * event is about one parcel, and its scan gets a `personal_hash` for it.
   */
  readonly amends?: boolean;
  /** The provider's table determined the status, and may have changed since an earlier push. */
  readonly isMapped?: boolean;
  /** Id of a scan whose retraction by the same provider is withdrawn. */
  readonly unretracts?: string;
  /**
   * CBV event hashes of a foreign EPCIS event:
   *
   * - `given`: the hash that is recorded with the event.
   * - `earlier`: the hash before the layout of CBV 2.0.
   * - `former`: the hash before `cbv_hash` existed.
   * - `foreign`: hashes that other software may have assigned as the event id.
   */
  readonly hashes?: {
    readonly given: string;
    readonly earlier: string;
    readonly former: string;
    readonly foreign: readonly string[];
  };
}

/** `event_id`: the id under which the event is stored, if that is not its own id. */
export type Outcome =
  | { readonly outcome: 'accepted' | 'updated' | 'duplicate'; readonly event_id?: string }
  | { readonly outcome: 'unknown_here' }
  | { readonly outcome: 'rejected'; readonly code: RejectionCode };
export type RejectionCode =
  | 'UNKNOWN_SHIPMENT'
  | 'NUMBER_RESERVED'
  | 'NOT_YOUR_SHIPMENT'
  | 'NOT_YOUR_EVENT'
  | 'EVENT_ID_REUSED'
  | 'TOO_MANY_REPORTS';

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
      /** Absent: the events are written only if the tracking is open. */
      readonly opening?: Opening;
      /** The planned delivery according to the order. */
      readonly planned?: PlannedDelivery | undefined;
      /**
       * A later tracking of the same number exists: only events that this tracking knows are processed here. Earlier
       * versions of the service divided the scans of a number into several trackings.
       */
      readonly onlyKnown?: boolean;
      /** The event was validated before as part of a whole document, so it is not rejected any more. */
      readonly admitted?: boolean;
    }
  | {
      readonly kind: 'open';
      readonly id: string;
      readonly subject: Subject;
      readonly opening: Opening;
      readonly writers: readonly string[];
    }
  | { readonly kind: 'plan'; readonly id: string; readonly planned: PlannedDelivery }
  | { readonly kind: 'grant'; readonly id: string; readonly provider: string }
  | {
      readonly kind: 'revoke';
      readonly id: string;
      readonly provider: string;
      /** Scans from before are refused, too: the provider returned the parcel before it had it. */
      readonly refusesAll?: boolean;
    };
