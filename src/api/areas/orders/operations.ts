/** The operations of orders. */
import type { Commands } from '../../../commands/commands.js';
import type { OrderHistory } from '../../../projections/orders/history.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { Batches } from './batches.js';
import type { Place } from './place.js';
import { RESULTS as results } from './results.js';
import type { TimelineReader } from '../trackings/timelines.js';
import { addressSearch } from './addresses.js';
import type { Operation } from '../../core/operation.js';
import { orderAnalytics } from './analytics.js';
import { orderChanging } from './change.js';
import { orderCreating } from './create.js';
import { orderLabel } from './print-label.js';
import { orderReading } from './read.js';
import { orderTracking } from './tracking.js';

export interface OrderOperationsOptions {
  readonly orders: Commands['orders'];
  readonly queries: OrderQueries;
  readonly history: OrderHistory;
  readonly place: Place;
  readonly batches: Batches;
  readonly reader: TimelineReader;
  readonly now: () => number;
}

export function orderOperations({
  orders,
  queries,
  history,
  place,
  batches,
  reader,
  now,
}: OrderOperationsOptions): Operation[] {
  return [
    ...orderCreating({ place, results, batches }),
    ...orderReading({ queries, now }),
    ...orderChanging({ orders, queries, results }),
    ...orderTracking({ queries, history, reader }),
    orderLabel({ queries }),
    ...orderAnalytics({ queries, now }),
    addressSearch({ queries }),
  ];
}
