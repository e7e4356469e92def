/** Searches for a rider for an order. Staff or the customer of the order requests and cancels them. */
import { z } from 'zod';
import type { RiderQueries } from '../../../projections/riders/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, explainedError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { exactReward, rewardInput } from '../../core/money.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { viewerOf as fleetViewerOf } from '../fleets/permissions.js';
import { visibleOrder } from '../orders/viewer.js';
import type { RiderService } from './rider-service.js';
import { ineligibilityOf, type PickupOf } from './pickup.js';
import { INSTANT_VERSION, instantSchema, toInstant } from './shapes.js';

const CALLERS = ['client_admin', 'employee', 'customer'] as const;
const WRITE = {
  area: 'InstantRider',
  callers: CALLERS,
  scopes: ['orders:write'],
  reads: ['orders', 'riders', 'instants', 'rider_offers', 'driver_times', 'fleets'],
  awaits: ['instants', 'rider_offers', 'driver_times'],
  writes: true,
  risk: 'medium',
} as const;
const done = z.object({ result: z.boolean() });

export function requestOperations({
  service,
  queries,
  orders,
  fleets,
  pickupOf,
}: Parts<'orders' | 'fleets'> & { service: RiderService; queries: RiderQueries; pickupOf: PickupOf }): Operation[] {
  return [
    operation({
      ...WRITE,
      name: 'instantDeliveryRequest',
      versioned: INSTANT_VERSION,
      returns: { read: 'instantDelivery' },
      summary: 'Request a rider for an order',
      description:
        'Use it for orders that must leave at once. The service offers the order to the nearest free rider, then to the next. When no rider within the radius is left, the next round doubles the radius. It begins at least `offer_s` seconds after the beginning of the previous round. While a search runs, a second request changes nothing. Follow the search with `instantDelivery`.',
      rest: { method: 'post', path: '/v1/orders/:order_id/instant-delivery' },
      answers: {
        404: 'There is no such order or fleet, or the caller cannot see it.',
        409: 'The order is on a route, on hold or finished, or another party delivers it.',
        422: '`INSTANT_NEEDS_PLACE`: neither the pick-up nor the warehouse has known coordinates.',
      },
      input: z.object({
        order_id: idSchema,
        fleet_ids: z
          .array(idSchema)
          .min(1)
          .max(50)
          .optional()
          .describe('Fleets whose drivers may get offers. Omitted: all riders.'),
        offer_s: z.int().min(10).max(120).default(20).describe('Seconds that a rider has to respond to an offer.'),
        max_rounds: z.int().min(1).max(5).default(3),
        radius_m: z.int().min(100).max(50_000).default(5_000).describe('Search radius of the first round, in metres.'),
        parallel: z.int().min(1).max(3).default(1).describe('Number of riders who get an offer at the same time.'),
        reward: rewardInput.describe(
          'Reward that riders see in the offer. Only staff may set it; the service does not pay it.',
        ),
      }),
      output: done,
      async run({ order_id, fleet_ids, reward, ...searchOptions }, context) {
        if (reward && userOf(context.caller).role === 'customer')
          throw explainedError('FORBIDDEN', 'FIELD_NOT_ALLOWED', 'reward');
        const order = await visibleOrder(orders, context.caller, { order_id });
        for (const id of fleet_ids ?? [])
          if (!(await fleets.byId(id, fleetViewerOf(context.caller))))
            throw fieldError('FLEET_NOT_FOUND', 'fleet_ids', { id });
        const ineligibility = ineligibilityOf(order);
        if (ineligibility)
          throw new ApiError(ineligibility, { params: { route: order.route_id ?? 0, status: order.status } });
        if (!(await pickupOf(order))) throw fieldError('INSTANT_NEEDS_PLACE', 'order_id');
        const orderKey = { orderId: order_id, business: order.business };
        const request = {
          ...searchOptions,
          ...(fleet_ids && { fleet_ids: [...new Set(fleet_ids)] }),
          ...(reward && { reward: exactReward(reward) }),
        };
        await service.request(orderKey, request, userOf(context.caller).userId, context);
        return { result: true };
      },
    }),
    operation({
      ...WRITE,
      name: 'instantDeliveryCancel',
      versioned: INSTANT_VERSION,
      returns: { read: 'instantDelivery' },
      summary: 'Cancel the search for a rider',
      description:
        'The service also cancels the open offers. After a rider has accepted, the search cannot be cancelled (`INSTANT_ACCEPTED`). Remove the order from its route instead.',
      rest: { method: 'post', path: '/v1/orders/:order_id/instant-delivery/cancel' },
      answers: {
        404: 'There is no such order, or no rider was requested for it.',
        409: '`INSTANT_ACCEPTED`: a rider has accepted the order.',
      },
      input: z.object({ order_id: idSchema }),
      output: done,
      async run({ order_id }, context) {
        const { business } = await visibleOrder(orders, context.caller, { order_id });
        if (!(await queries.instant(order_id, business))) throw new ApiError('INSTANT_NOT_FOUND');
        await service.cancel({ orderId: order_id, business }, userOf(context.caller).userId, context);
        return { result: true };
      },
    }),
    operation({
      name: 'instantDelivery',
      versioned: INSTANT_VERSION,
      area: 'InstantRider',
      summary: 'Get the rider search of an order',
      description:
        'Returns the status and round of the latest search. Staff also see the rider who accepted, the offers and the reward.',
      rest: { method: 'get', path: '/v1/orders/:order_id/instant-delivery' },
      callers: CALLERS,
      scopes: ['orders:read'],
      reads: ['orders', 'instants', 'rider_offers'],
      answers: { 404: 'There is no such order, or no rider was requested for it.' },
      input: z.object({ order_id: idSchema }),
      output: z.object({ result: z.boolean(), instant_delivery: instantSchema }),
      async run({ order_id }, { caller }) {
        await visibleOrder(orders, caller, { order_id });
        const row = await queries.instant(order_id, businessOf(caller));
        if (!row) throw new ApiError('INSTANT_NOT_FOUND');
        const isCustomer = userOf(caller).role === 'customer';
        const offers = isCustomer ? undefined : await queries.offersOf(order_id, row.requested_at);
        return { result: true, instant_delivery: toInstant(row, offers) };
      },
    }),
  ];
}
