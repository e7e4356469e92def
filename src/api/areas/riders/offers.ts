/** Operations of riders on offers: list, accept, decline. */
import { z } from 'zod';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { OfferRow } from '../../../projections/riders/offers.js';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { RiderService } from './rider-service.js';
import { riderOf } from './duty.js';
import type { PickupOf } from './pickup.js';
import { offerSchema, toOffer } from './shapes.js';

export interface OffersOptions {
  readonly service: RiderService;
  readonly queries: RiderQueries;
  readonly orders: Pick<OrderQueries, 'byId'>;
  readonly pickupOf: PickupOf;
}

const WRITE = {
  area: 'InstantRider',
  callers: ['driver'],
  scopes: ['orders:write'],
  reads: ['riders', 'rider_offers'],
  awaits: ['instants', 'rider_offers', 'orders', 'driver_times'],
  writes: true,
  risk: 'medium',
} as const;
const input = z.object({ offer_id: z.uuid() });

export function riderOfferOperations({ service, queries, orders, pickupOf }: OffersOptions): Operation[] {
  /** Throws OFFER_NOT_FOUND for offers to another rider. */
  async function offerOf(caller: Caller, id: string): Promise<OfferRow> {
    const offer = await queries.offer(id);
    if (offer?.rider_id !== userOf(caller).userId || offer.business !== businessOf(caller))
      throw new ApiError('OFFER_NOT_FOUND');
    return offer;
  }

  return [
    operation({
      name: 'riderOffers',
      area: 'InstantRider',
      summary: 'List open delivery offers for the calling rider',
      description:
        'Returns only open offers, with pick-up area, distance, reward and expiry. Accept an offer with `riderAccept` before `expires_at`, or decline it with `riderDecline`.',
      rest: { method: 'get', path: '/v1/instant-rider/offers' },
      callers: ['driver'],
      scopes: ['drivers:read'],
      reads: ['riders', 'rider_offers', 'instants', 'orders'],
      answers: { 403: '`INSTANT_NOT_GRANTED`: instant delivery is not enabled for the driver.' },
      input: z.object({}),
      output: z.object({ result: z.boolean(), offers: z.array(offerSchema), server_time: z.string() }),
      async run(_input, { caller, time: now }) {
        const { id } = await riderOf(queries, caller);
        const open = (await queries.openOffers(id)).filter(({ expires_at }) => Date.parse(expires_at) > now);
        const offers = await Promise.all(
          open.map(async (row) => {
            const [order, instant] = await Promise.all([
              orders.byId(row.order_id, { business: row.business }),
              queries.instant(row.order_id, row.business),
            ]);
            const pickup = order && (await pickupOf(order));
            return order && pickup && toOffer(row, { order, pickup, reward: instant?.request.reward, now });
          }),
        );
        return {
          result: true,
          offers: offers.filter((one) => one !== undefined),
          server_time: new Date(now).toISOString(),
        };
      },
    }),
    operation({
      ...WRITE,
      name: 'riderAccept',
      returns: { read: 'order' },
      summary: 'Accept a delivery offer',
      description:
        'The first rider who accepts gets the order. The order is then on the route of this rider. If this rider repeats the call, the response is the same.',
      rest: { method: 'post', path: '/v1/instant-rider/offers/:offer_id/accept' },
      answers: {
        404: 'There is no such offer for this rider.',
        409: '`OFFER_TAKEN`: another rider accepted first. `OFFER_EXPIRED`: the time to respond is over. `ORDER_GONE`: the order was held, cancelled or assigned elsewhere.',
      },
      input,
      output: z.object({ result: z.boolean() }),
      async run({ offer_id }, context) {
        const { route_id } = await riderOf(queries, context.caller);
        const offer = await offerOf(context.caller, offer_id);
        if (route_id === null) throw new ApiError('OFFER_EXPIRED');
        await service.accept(offer, route_id, context);
        return { result: true, order_id: offer.order_id };
      },
    }),
    operation({
      ...WRITE,
      name: 'riderDecline',
      returns: { read: 'riderOffers' },
      summary: 'Decline a delivery offer',
      description:
        'The service offers the order to the next rider. For ten minutes, the calling rider is ranked slightly lower for other orders.',
      rest: { method: 'post', path: '/v1/instant-rider/offers/:offer_id/decline' },
      answers: { 404: 'There is no such offer for this rider.' },
      input,
      output: z.object({ result: z.boolean() }),
      async run({ offer_id }, context) {
        await service.decline(await offerOf(context.caller, offer_id), context);
        return { result: true };
      },
    }),
  ];
}
