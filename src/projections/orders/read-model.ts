/** The read model of orders: one row per order, with its packages. Personal data stays encrypted, event by event. */
import { ORDER_PREFIX } from '../../events/orders/events.js';
import type { Projection } from '../core/projection.js';
import { sequence } from '../core/sequence.js';
import type { OrderExceptionRow } from './exceptions.js';
import { foldOrder } from './fold.js';
import type { FoldedOrder, OrderRow } from './row.js';
import { load, save } from './stored.js';
import { TABLES } from './tables.js';

/** Ids of orders. */
export const ORDER_IDS = sequence('orders', { readModel: 'orders', table: 'orders.orders' });

export const orders: Projection<FoldedOrder> = {
  name: 'orders',
  version: 9,
  prefixes: [ORDER_PREFIX],
  tables: TABLES,
  keyOf: (event) => event.stream.slice(ORDER_PREFIX.length),
  rowPerStream: true,
  fold: foldOrder,
  load,
  save,
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'orders',
    {
      'orders.orders': OrderRow;
      'orders.contractor_orders': { broker_id: number; order_id: number };
      'orders.exceptions': OrderExceptionRow;
      'orders.packages': {
        tracking_number: string;
        tracking: string;
        order_id: number;
        external_tracking_number: string | null;
      };
    }
  > {}
}
