/** The order of a parcel, for formats that represent orders. Readers of such formats get the complete order. */
import type { Life } from '../../../projections/trackings/lives.js';
import type { ParcelOrder } from '../../../serializers/format.js';
import type { Caller } from '../../core/callers.js';

export interface ParcelOrders {
  /** Whether the caller may read orders of the parcel's owner. Runs no query, so that public reads stay cheap. */
  readonly mayRead: (tracking: Pick<Life, 'owner'>, caller: Caller) => boolean;
  /** Undefined: the parcel has no order, or the caller may not read it. */
  readonly read: (
    tracking: Pick<Life, 'owner' | 'number' | 'subject'>,
    caller: Caller,
  ) => Promise<ParcelOrder | undefined>;
}
