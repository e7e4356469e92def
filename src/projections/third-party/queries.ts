/** Queries on offers to providers, and on the orders that providers have. */
import { FINAL_STATUSES } from '../../events/orders/events.js';
import type { Position } from '../../events/core/log.js';
import type { Order } from '../orders/order.js';
import { ReadableOrders } from '../orders/readable-orders.js';
import type { Parts } from '../core/parts.js';
import { openRows } from '../core/sealed-members.js';
import type { OfferRow, ProviderOfferRow } from './offers.js';

/** The statuses in which a provider sees an order. */
export const VISIBLE_STATUSES = ['offered', 'taken'] as const;
export type VisibleStatus = (typeof VISIBLE_STATUSES)[number];

/** The part of a provider in an offer, with the reason that it stated. */
export type ProviderPart = Omit<ProviderOfferRow, 'sealed'> & { readonly reason?: string };

/** An order as its provider's query finds it. */
export interface OrderOfProvider {
  readonly part: ProviderOfferRow;
  readonly order: Order;
}

export type ThirdPartyQueries = ReturnType<typeof createThirdPartyQueries>;

export function createThirdPartyQueries({ database, keyRing }: Parts<'database' | 'keyRing'>) {
  const readable = new ReadableOrders(database, keyRing);

  async function withOrders(parts: readonly ProviderOfferRow[]): Promise<OrderOfProvider[]> {
    const ids = parts.map(({ order_id }) => order_id);
    const rows = await database
      .selectFrom('orders.orders')
      .selectAll()
      .where('id', 'in', [-1, ...ids])
      .execute();
    const orders = new Map((await readable.open(rows)).map((order) => [order.id, order]));
    return parts.flatMap((part) => {
      const order = orders.get(part.order_id);
      return order ? [{ part, order }] : [];
    });
  }

  /** Orders of the provider in a status. Offers whose time is over are left out, also before their end is recorded. */
  const partsOf = (provider: string, status: VisibleStatus, now: number) =>
    database
      .selectFrom('third_party_offers.providers')
      .selectAll()
      .where('provider', '=', provider)
      .where('status', '=', status)
      .$if(status === 'offered', (query) => query.where('respond_by', '>', new Date(now).toISOString()));

  return {
    /** The latest offer of an order with its providers; undefined: the order was never offered. */
    async ofOrder(
      orderId: number,
    ): Promise<{ readonly offer: OfferRow; readonly providers: readonly ProviderPart[] } | undefined> {
      const offer = await database
        .selectFrom('third_party_offers.offers')
        .selectAll()
        .where('order_id', '=', orderId)
        .executeTakeFirst();
      if (!offer) return undefined;
      const parts = await database
        .selectFrom('third_party_offers.providers')
        .selectAll()
        .where('order_id', '=', orderId)
        .where('offer_id', '=', offer.offer_id)
        .orderBy('provider')
        .execute();
      return { offer, providers: await openRows<{ readonly reason?: string }, ProviderOfferRow>(parts, keyRing) };
    },

    /** Positions of the next orders of the provider in a status, in the order in which they got it. */
    parts: (
      provider: string,
      {
        status,
        after,
        limit,
        now,
      }: { status: VisibleStatus; after?: Position | undefined; limit: number; now: number },
    ): Promise<readonly ProviderOfferRow[]> =>
      partsOf(provider, status, now)
        .$if(after !== undefined, (query) => query.where('position', '>', after!))
        .orderBy('position')
        .limit(limit)
        .execute(),

    withOrders,

    /** The order, if it is offered to the provider or the provider has it. */
    async orderOf(provider: string, orderId: number, now: number): Promise<OrderOfProvider | undefined> {
      const found = await Promise.all(
        VISIBLE_STATUSES.map((status) =>
          partsOf(provider, status, now).where('order_id', '=', orderId).executeTakeFirst(),
        ),
      );
      return (await withOrders(found.filter((part) => part !== undefined)))[0];
    },
  };
}

const DAY_MS = 86_400_000;
/** Providers see personal data for this long after the end of an order. */
const PERSONAL_DATA_DAYS = 30;

/** Whether the provider may see the personal data of the order. */
export const showsPersonalData = ({ part, order }: OrderOfProvider, now: number): boolean =>
  part.status === 'taken' &&
  !(FINAL_STATUSES.includes(order.status) && Date.parse(order.status_since) < now - PERSONAL_DATA_DAYS * DAY_MS);
