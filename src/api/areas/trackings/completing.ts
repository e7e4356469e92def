/** The order of a parcel, for formats that are orders themselves: who may read that reads all of it there. */
import type { TrackingHead } from '../../../projections/trackings/queries.js';
import type { TrackingRow } from '../../../projections/trackings/row.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Caller } from '../../core/callers.js';

export interface ParcelOrders {
  /** Whether the caller may read any order of whose parcel it is. Asks nobody: the public is not to cost a query. */
  readonly mayRead: (tracking: Pick<TrackingHead, 'owner'>, caller: Caller) => boolean;
  /** Undefined: the parcel has none, or none that the caller may read. */
  readonly read: (tracking: TrackingRow, caller: Caller) => Promise<ParcelOrder | undefined>;
}
