/** Connects third parties of orders to the timers: offers end, and deadlines of providers are missed. */
import type { Expiring } from '../../commands/timers/runner.js';
import { orderIdOf } from '../../events/orders/events.js';
import type { AreaContext } from '../area-context.js';
import { createOwnerOf } from './order-owner.js';

/** Sends due timers to the order. The decider finds the deadlines that have passed. */
export function expireThirdParty({ commands, engines }: AreaContext): Expiring {
  const ownerOf = createOwnerOf(engines.log);
  return async (stream, { commandId }, cause) => {
    const orderId = orderIdOf(stream);
    const business = await ownerOf(orderId);
    if (business === undefined) throw new Error(`The stream ${stream} has a timer, but no events.`);
    const command = { do: 'expire_third_party', commandId, orderId, business } as const;
    return commands.orders(stream, command, { ...cause, business: String(business) });
  };
}
