/**
 * Orders as plain objects, with which the decider and the read model are compared. The model implements the rules of
 * docs/orders.md, independently of the code.
 */
import type { OrderCommand } from '../../../src/commands/orders/decider.js';

export interface ModelOrder {
  status: string;
  route: number | null;
  before: string;
  broker: number | null;
  carrier: string | null;
  readonly self: boolean;
}

const WAITING = ['NEW_ORDER', 'RECEIVED', 'PICKUP_FAILED', 'DELIVERY_FAILED'];
const OVER = ['DELIVERED', 'RETURNED', 'REJECTED', 'CANCELLED'];
const SCANS: Readonly<Record<string, string>> = {
  received: 'RECEIVED',
  picked_up: 'PICKED_UP',
  in_transit: 'IN_TRANSIT',
  out_for_delivery: 'OUT_FOR_DELIVERY',
  delivery_failed: 'DELIVERY_FAILED',
  delivered: 'DELIVERED',
  return_to_sender: 'RETURNED',
};
export const MODEL_SCANS = Object.keys(SCANS);

/**
 * Changes the order as the command requests. Returns false if the command is rejected, and changes nothing. Orders have
 * one package, and scans arrive in order.
 */
export function act(order: ModelOrder, command: OrderCommand): boolean {
  const may = (allowed: boolean, change: () => void): boolean => {
    if (allowed) change();
    return allowed;
  };
  const waits = WAITING.includes(order.status);
  const over = OVER.includes(order.status);
  switch (command.do) {
    case 'hold':
      return (
        order.status === 'HOLD' ||
        may(waits && order.route === null && order.carrier === null, () => (order.status = 'HOLD'))
      );
    case 'release':
      return may(order.status === 'HOLD', () => (order.status = 'NEW_ORDER'));
    case 'cancel':
      return may(!over, () => Object.assign(order, { status: 'CANCELLED', route: null, broker: null }));
    // No contractor has a pool rule here: only the contractor plans the orders that are assigned to it.
    case 'put_on_route':
      return (
        (order.broker ?? undefined) === (command.brokerId ?? undefined) &&
        (order.route === command.routeId ||
          may(waits && order.self && order.route === null && order.carrier === null, () =>
            Object.assign(order, { before: order.status, status: 'PLANNED', route: command.routeId }),
          ))
      );
    case 'take_off_route':
      return may(!over && order.route === command.routeId, () =>
        Object.assign(order, {
          route: null,
          status:
            order.status === 'PLANNED' ? order.before : order.status === 'OUT_FOR_DELIVERY' ? 'RECEIVED' : order.status,
        }),
      );
    case 'assign':
      return may(
        waits && order.self && order.route === null && order.carrier === null && order.broker !== command.brokerId,
        () => (order.broker = command.brokerId),
      );
    case 'revoke_assignment':
      return may(order.broker !== null && order.route === null, () => (order.broker = null));
    case 'release_assignment':
      return may(order.broker === command.brokerId && order.route === null, () => (order.broker = null));
    case 'give_to_third_party':
      return (
        order.carrier === command.provider ||
        may(
          waits && order.route === null && order.broker === null && order.carrier === null,
          () => (order.carrier = command.provider),
        )
      );
    case 'take_from_third_party':
      return may(order.carrier === command.provider, () => (order.carrier = null));
    case 'scan': {
      const status = SCANS[command.status_code]!;
      // A scan of a closed order is stored, but changes no status.
      const changes = !over && (order.status !== 'HOLD' || OVER.includes(status));
      return may(true, () => (order.status = changes ? status : order.status));
    }
    default:
      throw new Error(`The model does not know ${command.do}.`);
  }
}
