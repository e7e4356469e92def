/**
 * Actions of riders: accept, decline; also requests and cancellations of searches. The first acceptance wins in the
 * order's stream of offers; then the order is put on the rider's route. After a crash between the two steps, the
 * service completes the second one.
 */
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { Commands } from '../../../commands/commands.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import type { InstantCommand, InstantReply } from '../../../commands/riders/decider.js';
import type { Expire } from '../../../events/core/timers.js';
import { orderStream } from '../../../events/orders/events.js';
import { instantStream } from '../../../events/riders/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { OfferRow } from '../../../projections/riders/offers.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import type { Search, Told, Which } from './search.js';

export interface RiderDeskOptions {
  readonly commands: Pick<Commands, 'orders' | 'routes'>;
  readonly instants: Handle<InstantCommand | Expire, InstantReply>;
  readonly search: Search;
}

type Asked = Told & Pick<Context, 'commandId'>;

export interface RiderDesk {
  /** Returns the id of the order's route. Throws OFFER_TAKEN, OFFER_EXPIRED, ORDER_GONE. */
  accept(offer: OfferRow, routeId: number, told: Asked): Promise<number>;
  decline(offer: OfferRow, told: Asked): Promise<void>;
  /** Puts the accepted order on the route. Throws ORDER_GONE. */
  assign(which: Which, winner: NonNullable<InstantReply['winner']>, told: Told): Promise<void>;
  cancel(which: Which, by: number, told: Asked): Promise<void>;
  request(
    which: Which,
    request: Extract<InstantCommand, { do: 'request' }>['request'],
    by: number,
    told: Asked,
  ): Promise<void>;
}

const whichOf = ({ order_id: orderId, business }: OfferRow): Which => ({ orderId, business });

export function createRiderDesk({ commands, instants, search }: RiderDeskOptions): RiderDesk {
  async function tell(which: Which, command: object, told: Told & { readonly commandId: string }) {
    const { commandId, time: now, cause, wrote } = told;
    const whole = { commandId, ...which, now, ...command } as InstantCommand;
    const handled = await instants(instantStream(which.orderId), whole, cause);
    wrote(handled.position);
    return handled;
  }

  const desk: RiderDesk = {
    async accept(offer, routeId, told) {
      const { id: offerId, rider_id: riderId } = offer;
      const which = whichOf(offer);
      const { reply } = await tell(which, { do: 'accept', offerId, riderId, routeId }, told);
      await search.release(which, reply.lapsed, 'taken', told);
      // For a retry: the order became unavailable after the acceptance, or it is already on the route.
      if (reply.winner?.riderId !== riderId) throw new ApiError('ORDER_GONE');
      if (reply.status === 'accepted') await desk.assign(which, reply.winner, told);
      return reply.winner.routeId;
    },
    async decline(offer, told) {
      const { id: offerId, rider_id: riderId } = offer;
      const which = whichOf(offer);
      const { changed } = await tell(which, { do: 'decline', offerId, riderId }, told);
      if (!changed) return;
      await search.release(which, [riderId], 'declined', told);
      await search.step(which, told);
    },
    async assign(which, { riderId, routeId }, told) {
      const { orderId, business } = which;
      const { cause } = told;
      const again = { ...told, commandId: randomUUID() };
      try {
        // Fails if staff closed the route, because no order can be added to a closed route.
        const open: RouteCommand = { commandId: again.commandId, routeId, business, do: 'plan' };
        await commands.routes(routeStream(routeId), open, cause);
        const put: OrderCommand = {
          commandId: again.commandId,
          orderId,
          business,
          by: riderId,
          do: 'put_on_route',
          routeId,
        };
        told.wrote((await commands.orders(orderStream(orderId), put, cause)).position);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        await tell(which, { do: 'cancel', why: 'order_gone' }, again);
        await search.release(which, [riderId], 'order_gone', told);
        throw new ApiError('ORDER_GONE');
      }
      await tell(which, { do: 'assigned' }, { ...again, commandId: randomUUID() });
      await search.keep(which, riderId, told);
    },
    async cancel(which, by, told) {
      const { reply } = await tell(which, { do: 'cancel', why: 'asked', by }, told);
      await search.release(which, reply.lapsed, 'cancelled', told);
    },
    async request(which, request, by, told) {
      await tell(which, { do: 'request', request, by }, told);
      await search.step(which, told);
    },
  };
  return desk;
}
