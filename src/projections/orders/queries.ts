/**
 * Questions to the orders read model. Personal members are opened with the keys that still exist; erased ones are
 * absent.
 */
import { sql, type ExpressionBuilder, type Kysely, type SelectQueryBuilder } from 'kysely';
import { unseal, type KeyRing } from '../../events/core/codec.js';
import { orderSubject, type NewOrderData, type OrderStatus, type OrderType } from '../../events/orders/events.js';
import type { Database } from '../core/database.js';
import type { OrderRow } from './read-model.js';
import { searchable } from './search.js';

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
  /** Newest first. */
  readonly list: (
    filter: OrderFilter & { readonly offset: number; readonly limit: number },
    viewer: OrderViewer,
  ) => Promise<{ readonly total: number; readonly orders: readonly Order[] }>;
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
}

type Orders<O> = SelectQueryBuilder<Database, 'orders.orders', O>;

export function createOrderQueries({ database, keyRing }: OrderQueriesOptions): OrderQueries {
  const seen = (viewer: OrderViewer) => database.selectFrom('orders.orders').where((where) => mayBeSeen(where, viewer));

  async function open(rows: readonly OrderRow[]): Promise<Order[]> {
    const keys = await keyRing.existing(rows.map(({ id }) => orderSubject(id)));
    return rows.map((row) => openOrder(row, keys));
  }

  return {
    async byId(id, viewer) {
      return (await open(await seen(viewer).selectAll().where('id', '=', id).execute()))[0];
    },
    async byTrackingNumber(number, viewer) {
      const ids = database
        .selectFrom('orders.packages')
        .select('order_id')
        .where((or) => or.or([or('tracking_number', '=', number), or('external_tracking_number', '=', number)]));
      return (
        await open(await seen(viewer).selectAll().where('id', 'in', ids).orderBy('id', 'desc').limit(1).execute())
      )[0];
    },
    async list({ offset, limit, ...filter }, viewer) {
      const filtered = narrowed(seen(viewer), filter);
      const { total } = await filtered.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
      return {
        total: Number(total),
        orders: await open(await filtered.selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()),
      };
    },
    async find(query, limit, viewer) {
      const asked = searchable([query]);
      const phone = asked.replace(/\D/g, '');
      const number = asked.replace(/[\s-]/g, '');
      // What stands in a text as it is comes before what only resembles it; digits are also looked for as a phone is
      // kept.
      const score = sql<number>`greatest(
        case when t.numbers like ${`%${escaped(number)}%`} then 1 + word_similarity(${number}, t.numbers) end, case when t.numbers like ${`%${escaped(asked)}%`} then 1 + word_similarity(${asked}, t.numbers) end, word_similarity(${number}, t.numbers), word_similarity(${asked}, t.person),
        case when length(${phone}::text) >= 5 and t.person like ${`%${phone}%`} then 1.5 end)`;
      const hits = await database
        .selectFrom('order_search.texts as t')
        .where('t.business', '=', viewer.business)
        .where((or) =>
          or.or([
            sql<boolean>`t.numbers like ${`%${escaped(number)}%`}`,
            sql<boolean>`t.numbers like ${`%${escaped(asked)}%`}`,
            sql<boolean>`${number} <% t.numbers`,
            sql<boolean>`${asked} <% t.person`,
            sql<boolean>`(length(${phone}::text) >= 5 and t.person like ${`%${phone}%`})`,
          ]),
        )
        .where('t.order_id', 'in', seen(viewer).select('id'))
        .select(['t.order_id', score.as('score')])
        .orderBy('score', 'desc')
        .orderBy('t.order_id', 'desc')
        .limit(limit)
        .execute();
      const orders = new Map(
        (
          await open(
            await seen(viewer)
              .selectAll()
              .where('id', 'in', [-1, ...hits.map(({ order_id }) => order_id)])
              .execute(),
          )
        ).map((order) => [order.id, order]),
      );
      return hits.flatMap(({ order_id, score: value }) =>
        orders.has(order_id) ? [{ order: orders.get(order_id)!, score: Number(value) }] : [],
      );
    },
    async findByAddress(query, limit, viewer) {
      const asked = searchable([query]);
      const score = sql<number>`case when t.address like ${`%${escaped(asked)}%`} then 2 else word_similarity(${asked}, t.address) end`;
      const hits = await database
        .selectFrom('order_search.texts as t')
        .where('t.business', '=', viewer.business)
        .where((or) =>
          or.or([sql<boolean>`t.address like ${`%${escaped(asked)}%`}`, sql<boolean>`${asked} <% t.address`]),
        )
        .where('t.order_id', 'in', seen(viewer).select('id'))
        .select(['t.order_id', score.as('score')])
        .orderBy('score', 'desc')
        .orderBy('t.order_id', 'desc')
        .limit(limit)
        .execute();
      const found = new Map(
        (
          await open(
            await seen(viewer)
              .selectAll()
              .where('id', 'in', [-1, ...hits.map(({ order_id }) => order_id)])
              .execute(),
          )
        ).map((order) => [order.id, order]),
      );
      return hits.flatMap(({ order_id }) => found.get(order_id) ?? []);
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
