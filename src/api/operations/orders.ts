/** The operations of orders. */
import type { Commands } from '../../commands/commands.js';
import type { OrderHistory } from '../../projections/order-history.js';
import type { OrderQueries } from '../../projections/order-queries.js';
import type { Batches } from '../orders/batches.js';
import type { Place } from '../orders/place.js';
import { RESULTS as results } from '../orders/results.js';
import type { TimelineReader } from '../otep/timelines.js';
import { addressSearch } from './addresses.js';
import type { Operation } from './operation.js';
import { orderAnalytics } from './orders-analytics.js';
import { orderChanging } from './orders-change.js';
import { orderCreating } from './orders-create.js';
import { orderLabel } from './orders-label.js';
import { orderReading } from './orders-read.js';
import { orderTracking } from './orders-tracking.js';

export interface OrderOperationsOptions {
  readonly orders: Commands['orders'];
  readonly queries: OrderQueries;
  readonly history: OrderHistory;
  readonly place: Place;
  readonly batches: Batches;
  readonly reader: TimelineReader;
  readonly now: () => number;
}

export function orderOperations({ orders, queries, history, place, batches, reader, now }: OrderOperationsOptions): Operation[] {
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
