/** The order of a parcel, for formats that represent orders. Readers of such formats get the complete order. */
import type { TrackingHead } from '../../../projections/trackings/queries.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Caller } from '../../core/callers.js';

export interface ParcelOrders {
  /** Whether the caller may read orders of the parcel's owner. Runs no query, so that public reads stay cheap. */
  readonly mayRead: (tracking: Pick<TrackingHead, 'owner'>, caller: Caller) => boolean;
  /** Undefined: the parcel has no order, or the caller may not read it. */
  readonly read: (tracking: TrackingRow, caller: Caller) => Promise<ParcelOrder | undefined>;
}
