/** Queries on the read model of orders. */
import type { OrderStatus, OrderType } from '../../events/orders/events.js';
import { isFinal } from '../../events/orders/status.js';
import { NEWEST_FIRST } from '../../sql/page-key.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';
import { exceptionsOf, type ExceptionFilter, type OrderException } from './exceptions.js';
import { filterOrders, type OrderFilter } from './filter.js';
import { createFinding } from './finding.js';
import type { Order } from './order.js';
import { ReadableOrders } from './readable-orders.js';
import type { OrderRow } from './row.js';
import { isRefTaken, takenNumbers } from './taken.js';
import type { OrderViewer } from './viewer.js';

export type { Order, OrderFilter, OrderViewer };

export interface OrderQueries {
  readonly byId: (id: number, viewer: OrderViewer) => Promise<Order | undefined>;
  readonly byTrackingNumber: (number: string, viewer: OrderViewer) => Promise<Order | undefined>;
  /**
   * Orders that a number may refer to. The order with this tracking number comes first. Orders in which a package has
   * this external number follow, open orders first. Returns at most 20.
   */
  readonly allByTrackingNumber: (number: string, viewer: OrderViewer) => Promise<readonly Order[]>;
  /**
   * The numbers among these that already refer to a different order of the business: its own tracking number, or an
   * external number of an open order.
   */
  readonly takenNumbers: (
    numbers: readonly string[],
    by: { readonly business: number; readonly orderId: number },
  ) => Promise<ReadonlySet<string>>;
  /** Whether a different order of the business that is not cancelled has the reference. */
  readonly isRefTaken: (ref: string, by: { readonly business: number; readonly orderId: number }) => Promise<boolean>;
  /** Newest first. */
  readonly list: (
    filter: OrderFilter & Range,
    viewer: OrderViewer,
  ) => Promise<Omit<Page<Order>, 'rows'> & { readonly orders: readonly Order[] }>;
  /**
   * All orders of the filter, newest first, in pages of at most `size`. Orders that are created later are not included;
   * orders that change are neither skipped nor repeated.
   */
  readonly inPages: (filter: OrderFilter, viewer: OrderViewer, size: number) => AsyncIterable<readonly Order[]>;
  /** References and tracking numbers of these orders, without encrypted members. */
  readonly named: (
    ids: readonly number[],
    business: number,
  ) => Promise<readonly Pick<OrderRow, 'id' | 'order_ref' | 'packages'>[]>;
  /** Best match first. */
  readonly find: (
    query: string,
    limit: number,
    viewer: OrderViewer,
  ) => Promise<readonly { readonly order: Order; readonly score: number }[]>;
  /** Orders with a pick-up or delivery address similar to the text, best match first. */
  readonly findByAddress: (query: string, limit: number, viewer: OrderViewer) => Promise<readonly Order[]>;
  /** The exceptions of these orders that match the filter, by order id, oldest first. */
  readonly exceptionsOf: (
    ids: readonly number[],
    filter: ExceptionFilter,
  ) => Promise<ReadonlyMap<number, readonly OrderException[]>>;
  readonly countByStatus: (
    filter: OrderFilter,
    viewer: OrderViewer,
  ) => Promise<readonly { readonly status: OrderStatus; readonly type: OrderType; readonly count: number }[]>;
}

export type OrderQueriesOptions = Parts<'database' | 'keyRing' | 'index'>;

/** Maximum number of orders that are returned for one number. */
const SAME_NUMBER = 20;

export function createOrderQueries({ database, keyRing, index }: OrderQueriesOptions): OrderQueries {
  const orders = new ReadableOrders(database, keyRing);

  async function allByTrackingNumber(number: string, viewer: OrderViewer): Promise<Order[]> {
    const ids = database
      .selectFrom('orders.packages')
      .select('order_id')
      .where((or) => or.or([or('tracking_number', '=', number), or('external_tracking_number', '=', number)]));
    const named = orders.seenBy(viewer).selectAll().where('id', 'in', ids);
    const found = await named.orderBy('id', 'desc').limit(SAME_NUMBER).execute();
    return orders.open(found.sort((a, b) => rank(a, number) - rank(b, number)));
  }

  return {
    byId: async (id, viewer) => (await orders.byIds([id], viewer)).get(id),
    byTrackingNumber: async (number, viewer) => (await allByTrackingNumber(number, viewer))[0],
    allByTrackingNumber,
    takenNumbers: (numbers, by) => takenNumbers(database, numbers, by),
    isRefTaken: (ref, by) => isRefTaken(database, ref, by),
    async list({ offset, limit, after, ...filter }, viewer) {
      const filtered = filterOrders(orders.seenBy(viewer), filter).selectAll();
      const { rows, ...page } = await pageOf(filtered, { offset, limit, after }, NEWEST_FIRST);
      return { ...page, orders: await orders.open(rows) };
    },
    async *inPages(filter, viewer, size) {
      const filtered = filterOrders(orders.seenBy(viewer), filter).selectAll().orderBy('id', 'desc').limit(size);
      for (let last: number | undefined; ;) {
        const rows = await (last === undefined ? filtered : filtered.where('id', '<', last)).execute();
        if (rows.length > 0) yield orders.open(rows);
        if (rows.length < size) return;
        last = rows.at(-1)!.id;
      }
    },
    named: (ids, business) =>
      database
        .selectFrom('orders.orders')
        .select(['id', 'order_ref', 'packages'])
        .where('business', '=', business)
        .where('id', 'in', [-1, ...ids])
        .execute(),
    exceptionsOf: (ids, filter) => exceptionsOf(database, keyRing, ids, filter),
    ...createFinding(orders, index),
    async countByStatus(filter, viewer) {
      const rows = await filterOrders(orders.seenBy(viewer), filter)
        .groupBy(['status', 'type'])
        .select(({ fn }) => ['status', 'type', fn.countAll().as('count')] as const)
        .execute();
      return rows.map(({ status, type, count }) => ({ status, type, count: Number(count) }));
    },
  };
}

/** The order with this own number comes first, then open orders, then ended ones. */
const rank = ({ packages, status }: OrderRow, number: string): number =>
  packages.some(({ tracking_number }) => tracking_number === number) ? 0 : isFinal(status) ? 2 : 1;
