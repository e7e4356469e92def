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
import type { Search, WriteContext, OrderKey } from './search.js';

export interface RiderServiceOptions {
  readonly commands: Pick<Commands, 'orders' | 'routes'>;
  readonly instants: Handle<InstantCommand | Expire, InstantReply>;
  readonly search: Search;
}

type CommandContext = WriteContext & Pick<Context, 'commandId'>;

export interface RiderService {
  /** Returns the id of the order's route. Throws OFFER_TAKEN, OFFER_EXPIRED, ORDER_GONE. */
  accept(offer: OfferRow, routeId: number, context: CommandContext): Promise<number>;
  decline(offer: OfferRow, context: CommandContext): Promise<void>;
  /** Puts the accepted order on the route. Throws ORDER_GONE. */
  assign(orderKey: OrderKey, winner: NonNullable<InstantReply['winner']>, context: WriteContext): Promise<void>;
  cancel(orderKey: OrderKey, by: number, context: CommandContext): Promise<void>;
  request(
    orderKey: OrderKey,
    request: Extract<InstantCommand, { do: 'request' }>['request'],
    by: number,
    context: CommandContext,
  ): Promise<void>;
}

const orderKeyOf = ({ order_id: orderId, business }: OfferRow): OrderKey => ({ orderId, business });

export function createRiderService({ commands, instants, search }: RiderServiceOptions): RiderService {
  async function send(orderKey: OrderKey, command: object, context: WriteContext & { readonly commandId: string }) {
    const { commandId, time: now, cause, wrote } = context;
    const fullCommand = { commandId, ...orderKey, now, ...command } as InstantCommand;
    const handledCommand = await instants(instantStream(orderKey.orderId), fullCommand, cause);
    wrote(handledCommand.position);
    return handledCommand;
  }

  const service: RiderService = {
    async accept(offer, routeId, context) {
      const { id: offerId, rider_id: riderId } = offer;
      const orderKey = orderKeyOf(offer);
      const { reply } = await send(orderKey, { do: 'accept', offerId, riderId, routeId }, context);
      await search.release(orderKey, reply.lapsed, 'taken', context);
      // For a retry: the order became unavailable after the acceptance, or it is already on the route.
      if (reply.winner?.riderId !== riderId) throw new ApiError('ORDER_GONE');
      if (reply.status === 'accepted') await service.assign(orderKey, reply.winner, context);
      return reply.winner.routeId;
    },
    async decline(offer, context) {
      const { id: offerId, rider_id: riderId } = offer;
      const orderKey = orderKeyOf(offer);
      const { changed } = await send(orderKey, { do: 'decline', offerId, riderId }, context);
      if (!changed) return;
      await search.release(orderKey, [riderId], 'declined', context);
      await search.step(orderKey, context);
    },
    async assign(orderKey, { riderId, routeId }, context) {
      const { orderId, business } = orderKey;
      const { cause } = context;
      const newContext = { ...context, commandId: randomUUID() };
      try {
        // Fails if staff closed the route, because no order can be added to a closed route.
        const open: RouteCommand = { commandId: newContext.commandId, routeId, business, do: 'plan' };
        await commands.routes(routeStream(routeId), open, cause);
        const put: OrderCommand = {
          commandId: newContext.commandId,
          orderId,
          business,
          by: riderId,
          do: 'put_on_route',
          routeId,
        };
        context.wrote((await commands.orders(orderStream(orderId), put, cause)).position);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        await send(orderKey, { do: 'cancel', why: 'order_gone' }, newContext);
        await search.release(orderKey, [riderId], 'order_gone', context);
        throw new ApiError('ORDER_GONE');
      }
      await send(orderKey, { do: 'assigned' }, { ...newContext, commandId: randomUUID() });
      await search.confirm(orderKey, riderId, context);
    },
    async cancel(orderKey, by, context) {
      const { reply } = await send(orderKey, { do: 'cancel', why: 'asked', by }, context);
      await search.release(orderKey, reply.lapsed, 'cancelled', context);
    },
    async request(orderKey, request, by, context) {
      await send(orderKey, { do: 'request', request, by }, context);
      await search.step(orderKey, context);
    },
  };
  return service;
}
