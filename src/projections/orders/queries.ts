/**
 * Questions to the orders read model. Personal members are opened with the keys that still exist; erased ones are
 * absent.
 */
import { sql, type ExpressionBuilder, type Kysely, type SelectQueryBuilder } from 'kysely';
import { unseal, type KeyRing } from '../../events/core/codec.js';
import { FINAL_STATUSES, isFinal } from '../../events/orders/status.js';
import { orderSubject, type NewOrderData, type OrderStatus, type OrderType } from '../../events/orders/events.js';
import type { Database } from '../core/database.js';
import type { OrderRow } from './read-model.js';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { resembling } from '../core/resembling.js';
import { compact, scopeOf, searchable } from './search.js';

/** Whose eyes: a business's, and of its orders only these where a member is given. */
export interface OrderViewer {
  readonly business: number;
  /** Orders of this customer account. */
  readonly customerId?: number;
  /** Orders assigned to this contractor. */
  readonly brokerId?: number;
  /** Orders on this driver's routes, as of now. */
  readonly driverId?: number;
  /** Orders on these routes. */
  readonly routeIds?: readonly number[];
}

export interface OrderFilter {
  readonly ids?: readonly number[] | undefined;
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
  readonly scheduledFrom?: string | undefined;
  readonly scheduledTo?: string | undefined;
  readonly orderRef?: string | undefined;
  readonly orderRefs?: readonly string[] | undefined;
  readonly routeId?: number | undefined;
  readonly customerId?: number | undefined;
  /** RFC 3339, UTC; from inclusive, to exclusive. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly exception?: boolean | undefined;
}

/** An order with what is personal opened. */
export interface Order
  extends
    Omit<OrderRow, 'created' | 'instruction' | 'note'>,
    Pick<NewOrderData, 'pickup' | 'delivery' | 'descriptions' | 'delivery_instruction'> {
  readonly internal_note?: string;
}

export interface OrderQueries {
  readonly byId: (id: number, viewer: OrderViewer) => Promise<Order | undefined>;
  readonly byTrackingNumber: (number: string, viewer: OrderViewer) => Promise<Order | undefined>;
  /**
   * Orders that a number may mean: the one whose tracking number it is, then those that know a package by it, the ones
   * under way first. At most 20.
   */
  readonly allByTrackingNumber: (number: string, viewer: OrderViewer) => Promise<readonly Order[]>;
  /** Of these numbers those that mean another order of the business already: its own, or an external one under way. */
  readonly takenNumbers: (
    numbers: readonly string[],
    by: { readonly business: number; readonly orderId: number },
  ) => Promise<ReadonlySet<string>>;
  /** Whether another order of the business that is not cancelled has the reference. */
  readonly isRefTaken: (ref: string, by: { readonly business: number; readonly orderId: number }) => Promise<boolean>;
  /** Newest first. */
  readonly list: (
    filter: OrderFilter & { readonly offset: number; readonly limit: number },
    viewer: OrderViewer,
  ) => Promise<{ readonly total: number; readonly orders: readonly Order[] }>;
  /** What these are called: nothing that must be opened. */
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
  /** Orders with an end that resembles the text, best match first. */
  readonly findByAddress: (query: string, limit: number, viewer: OrderViewer) => Promise<readonly Order[]>;
  readonly countByStatus: (
    filter: OrderFilter,
    viewer: OrderViewer,
  ) => Promise<readonly { readonly status: OrderStatus; readonly type: OrderType; readonly count: number }[]>;
}

export interface OrderQueriesOptions {
  readonly database: Kysely<Database>;
  readonly keyRing: KeyRing;
  readonly index: BlindTrigrams;
}

/** Digits that say which phone is meant. */
const SHORTEST_PHONE = 5;

type Orders<O> = SelectQueryBuilder<Database, 'orders.orders', O>;

export function createOrderQueries({ database, keyRing, index }: OrderQueriesOptions): OrderQueries {
  const seen = (viewer: OrderViewer) => database.selectFrom('orders.orders').where((where) => mayBeSeen(where, viewer));

  async function open(rows: readonly OrderRow[]): Promise<Order[]> {
    const keys = await keyRing.existing(rows.map(({ id }) => orderSubject(id)));
    return rows.map((row) => openOrder(row, keys));
  }

  async function allByTrackingNumber(number: string, viewer: OrderViewer): Promise<Order[]> {
    const ids = database
      .selectFrom('orders.packages')
      .select('order_id')
      .where((or) => or.or([or('tracking_number', '=', number), or('external_tracking_number', '=', number)]));
    const found = await seen(viewer).selectAll().where('id', 'in', ids).orderBy('id', 'desc').limit(20).execute();
    const rank = ({ packages, status }: OrderRow): number =>
      packages.some(({ tracking_number }) => tracking_number === number) ? 0 : isFinal(status) ? 2 : 1;
    return open(found.sort((a, b) => rank(a) - rank(b)));
  }

  async function byIds(hits: readonly { order_id: number }[], viewer: OrderViewer): Promise<Map<number, Order>> {
    const ids = [-1, ...hits.map(({ order_id }) => order_id)];
    const orders = await open(await seen(viewer).selectAll().where('id', 'in', ids).execute());
    return new Map(orders.map((order) => [order.id, order]));
  }

  return {
    async byId(id, viewer) {
      return (await open(await seen(viewer).selectAll().where('id', '=', id).execute()))[0];
    },
    byTrackingNumber: async (number, viewer) => (await allByTrackingNumber(number, viewer))[0],
    allByTrackingNumber,
    async takenNumbers(numbers, { business, orderId }) {
      const rows = await database
        .selectFrom('orders.packages as p')
        .innerJoin('orders.orders as o', 'o.id', 'p.order_id')
        .select(['p.tracking_number', 'p.external_tracking_number'])
        .where('o.business', '=', business)
        .where('o.id', '!=', orderId)
        .where((where) =>
          where.or([
            where('p.tracking_number', 'in', numbers),
            where.and([
              where('p.external_tracking_number', 'in', numbers),
              where('o.status', 'not in', FINAL_STATUSES),
            ]),
          ]),
        )
        .limit(numbers.length)
        .execute();
      const known = rows.flatMap((row) => [row.tracking_number, row.external_tracking_number]);
      return new Set(numbers.filter((number) => known.includes(number)));
    },
    async isRefTaken(ref, { business, orderId }) {
      const other = await database
        .selectFrom('orders.orders')
        .select('id')
        .where('business', '=', business)
        .where('order_ref', '=', ref)
        .where('id', '!=', orderId)
        .where('status', '!=', 'CANCELLED')
        .limit(1)
        .executeTakeFirst();
      return other !== undefined;
    },
    async list({ offset, limit, ...filter }, viewer) {
      const filtered = narrowed(seen(viewer), filter);
      const { total } = await filtered.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      return {
        total: Number(total),
        orders: await open(await filtered.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()),
      };
    },
    named: (ids, business) =>
      database
        .selectFrom('orders.orders')
        .select(['id', 'order_ref', 'packages'])
        .where('business', '=', business)
        .where('id', 'in', [-1, ...ids])
        .execute(),
    async find(query, limit, viewer) {
      const asked = searchable([query]);
      const number = compact(asked)!;
      const person = resembling(sql.ref('t.person'), index.ofWords(scopeOf('person', viewer.business), asked));
      // As a phone is kept, wherever in it the digits stand; a zero before the area is not kept abroad.
      const digits = asked.replace(/\D/g, '').replace(/^0+/, '');
      const phone =
        digits.length < SHORTEST_PHONE
          ? sql<boolean>`false`
          : sql<boolean>`t.phone @> ${index.ofParts(scopeOf('phone', viewer.business), digits)}::int[]`;
      // What stands in a text as it is comes before what only resembles it.
      const score = sql<number>`greatest(
        case when t.numbers like ${`%${escaped(number)}%`} then 1 + word_similarity(${number}, t.numbers) end, case when t.numbers like ${`%${escaped(asked)}%`} then 1 + word_similarity(${asked}, t.numbers) end,
        word_similarity(${number}, t.numbers), ${person.score}, case when ${phone} then 1.5 end)`;
      const hits = await database
        .selectFrom('order_search.texts as t')
        .where('t.business', '=', viewer.business)
        .where((or) =>
          or.or([
            sql<boolean>`t.numbers like ${`%${escaped(number)}%`}`,
            sql<boolean>`t.numbers like ${`%${escaped(asked)}%`}`,
            sql<boolean>`${number} <% t.numbers`,
            person.found,
            phone,
          ]),
        )
        .where('t.order_id', 'in', seen(viewer).select('id'))
        .select(['t.order_id', score.as('score')])
        .orderBy('score', 'desc')
        .orderBy('t.order_id', 'desc')
        .limit(limit)
        .execute();
      const orders = await byIds(hits, viewer);
      return hits.flatMap(({ order_id, score: value }) =>
        orders.has(order_id) ? [{ order: orders.get(order_id)!, score: Number(value) }] : [],
      );
    },
    async findByAddress(query, limit, viewer) {
      const { score, found } = resembling(
        sql.ref('t.address'),
        index.ofWords(scopeOf('address', viewer.business), searchable([query])),
      );
      const hits = await database
        .selectFrom('order_search.texts as t')
        .where('t.business', '=', viewer.business)
        .where(found)
        .where('t.order_id', 'in', seen(viewer).select('id'))
        .select(['t.order_id', score.as('score')])
        .orderBy('score', 'desc')
        .orderBy('t.order_id', 'desc')
        .limit(limit)
        .execute();
      const orders = await byIds(hits, viewer);
      return hits.flatMap(({ order_id }) => orders.get(order_id) ?? []);
    },
    async countByStatus(filter, viewer) {
      const rows = await narrowed(seen(viewer), filter)
        .groupBy(['status', 'type'])
        .select(({ fn }) => ['status', 'type', fn.countAll().as('count')] as const)
        .execute();
      return rows.map(({ status, type, count }) => ({ status, type, count: Number(count) }));
    },
  };
}

function mayBeSeen(
  where: ExpressionBuilder<Database, 'orders.orders'>,
  { business, customerId, brokerId, driverId, routeIds }: OrderViewer,
) {
  return where.and([
    where('business', '=', business),
    ...(customerId !== undefined ? [where('customer_id', '=', customerId)] : []),
    ...(brokerId !== undefined
      ? [
          where(
            'id',
            'in',
            where.selectFrom('orders.contractor_orders').where('broker_id', '=', brokerId).select('order_id'),
          ),
        ]
      : []),
    ...(driverId !== undefined
      ? [
          where(
            'route_id',
            'in',
            where
              .selectFrom('routes.routes')
              .where('driver_id', '=', driverId)
              .where('business', '=', business)
              .select('id'),
          ),
        ]
      : []),
    ...(routeIds !== undefined ? [where('route_id', 'in', [-1, ...routeIds])] : []),
  ]);
}

function narrowed<O>(
  orders: Orders<O>,
  {
    ids,
    status,
    type,
    scheduledFrom,
    scheduledTo,
    orderRef,
    orderRefs,
    routeId,
    customerId,
    createdFrom,
    createdTo,
    exception,
  }: OrderFilter,
): Orders<O> {
  return orders
    .$if(ids !== undefined, (q) => q.where('id', 'in', [-1, ...ids!]) as never)
    .$if(status !== undefined, (q) => q.where('status', '=', status!) as never)
    .$if(type !== undefined, (q) => q.where('type', '=', type!) as never)
    .$if(scheduledFrom !== undefined, (q) => q.where('schedule_date', '>=', scheduledFrom!) as never)
    .$if(scheduledTo !== undefined, (q) => q.where('schedule_date', '<=', scheduledTo!) as never)
    .$if(orderRef !== undefined, (q) => q.where('order_ref', '=', orderRef!) as never)
    .$if(orderRefs !== undefined, (q) => q.where('order_ref', 'in', ['', ...orderRefs!]) as never)
    .$if(routeId !== undefined, (q) => q.where('route_id', '=', routeId!) as never)
    .$if(customerId !== undefined, (q) => q.where('customer_id', '=', customerId!) as never)
    .$if(createdFrom !== undefined, (q) => q.where('created_at', '>=', createdFrom!) as never)
    .$if(createdTo !== undefined, (q) => q.where('created_at', '<', createdTo!) as never)
    .$if(exception !== undefined, (q) => q.where('exception', '=', exception!) as never) as Orders<O>;
}

/** The order's row with its personal members in place. */
export function openOrder({ created, instruction, note, ...row }: OrderRow, keys: ReadonlyMap<string, Buffer>): Order {
  const {
    pickup,
    delivery,
    descriptions,
    delivery_instruction,
    note: first,
  } = unseal(created.data, created.id, keys) as unknown as NewOrderData;
  const instructed = instruction
    ? (unseal(instruction.data, instruction.id, keys)['delivery_instruction'] as string | undefined)
    : delivery_instruction;
  const noted = note ? (unseal(note.data, note.id, keys)['note'] as string | undefined) : first;
  return {
    ...row,
    ...(pickup && { pickup }),
    ...(delivery && { delivery }),
    ...(descriptions && { descriptions }),
    ...(instructed !== undefined && { delivery_instruction: instructed }),
    ...(noted !== undefined && { internal_note: noted }),
  };
}

/** Of a text inside a LIKE pattern. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
