/**
 * Decisions with an action: the operation that each runs, and the command that tests whether the order or route allows
 * it.
 */
import type { OrderCommand } from '../../../commands/orders/decider.js';
import type { RouteCommand } from '../../../commands/routes/decider.js';
import { instantStream } from '../../../events/riders/events.js';
import type { ItemRow } from '../../../projections/dispatch/sources/source.js';
import { ON_ORDERS, type ActionName, type OrderAction, type RouteAction } from '../../../events/dispatch/decisions.js';

type ActionCommand<Command> = Command extends infer C
  ? C extends Command
    ? Omit<C, 'commandId' | 'orderId' | 'routeId' | 'business' | 'by'>
    : never
  : never;

type Arguments = Readonly<Record<string, unknown>>;

interface Action<Command> {
  /** Name of the operation. */
  readonly operation: string;
  /** Input of the operation, for the order or route of the item. */
  readonly input: (id: number, args: Arguments, item: Pick<ItemRow, 'route_id' | 'facts'>) => Arguments;
  /** Command for testing the action, without the parts that depend on the arguments. */
  readonly toCommand: (routeId: number | null, brokerId: number | undefined) => ActionCommand<Command>;
  /** Another command that the order or route must allow too. */
  readonly prerequisite?: (brokerId: number | undefined) => ActionCommand<Command>;
  /** Whether the response of the operation reports refusals per order. */
  readonly perOrder?: boolean;
  /** Stream that the action writes to. Default: the stream of the order or route. */
  readonly stream?: (id: number) => string;
}

const withOrderId = (order_id: number, args: Arguments): Arguments => ({ ...args, order_id });
const withOrderIds = (order_id: number, args: Arguments): Arguments => ({ ...args, order_ids: [order_id] });
const brokerFields = (brokerId: number | undefined) => (brokerId === undefined ? {} : { brokerId });
/** An id that does not exist. */
const PLACEHOLDER_ID = 0;

export const ORDER_ACTIONS: Readonly<Record<OrderAction, Action<OrderCommand>>> = {
  hold: { operation: 'orderHold', input: withOrderId, toCommand: () => ({ do: 'hold' }) },
  release: { operation: 'orderRelease', input: withOrderId, toCommand: () => ({ do: 'release' }) },
  cancel: { operation: 'orderCancel', input: withOrderId, toCommand: () => ({ do: 'cancel' }) },
  reschedule: {
    operation: 'orderUpdate',
    input: withOrderId,
    toCommand: () => ({ do: 'reschedule', time_windows: [] }),
  },
  reroute: {
    operation: 'orderReroute',
    input: withOrderId,
    toCommand: () => ({ do: 'reroute', replacement: { order_id: PLACEHOLDER_ID, delivery: {}, tracking_numbers: [] } }),
  },
  put_on_route: {
    operation: 'routeAddOrders',
    input: withOrderIds,
    toCommand: (_routeId, brokerId) => ({ do: 'put_on_route', routeId: PLACEHOLDER_ID, ...brokerFields(brokerId) }),
    perOrder: true,
  },
  take_off_route: {
    operation: 'routeRemoveOrders',
    input: (order_id, args, { route_id }) => ({ ...args, order_ids: [order_id], route_id }),
    toCommand: (routeId, brokerId) => ({
      do: 'take_off_route',
      routeId: routeId ?? PLACEHOLDER_ID,
      ...brokerFields(brokerId),
    }),
    perOrder: true,
  },
  assign_contractor: {
    operation: 'assignOrdersToBroker',
    input: withOrderIds,
    toCommand: () => ({ do: 'assign', assignmentId: PLACEHOLDER_ID, brokerId: PLACEHOLDER_ID }),
    perOrder: true,
  },
  revoke_contractor: {
    operation: 'revokeBrokerOrderAssignments',
    input: withOrderIds,
    toCommand: () => ({ do: 'revoke_assignment' }),
    perOrder: true,
  },
  // An order that cannot go on a route cannot be delivered by a rider either.
  instant: {
    operation: 'instantDeliveryRequest',
    input: withOrderId,
    toCommand: () => ({ do: 'put_on_route', routeId: PLACEHOLDER_ID }),
    stream: instantStream,
  },
  // An item about one conflict names it; elsewhere, the arguments do.
  settle_scan: {
    operation: 'scanConflictSettle',
    input: (_order_id, args, { facts: { conflict_id } }) => ({
      ...args,
      ...(conflict_id !== undefined && { scan_conflict_id: conflict_id }),
    }),
    toCommand: () => ({ do: 'settle_scan', decision: 'discard' }),
  },
};

/** Tests whether the caller plans the route. */
const planCommand = (brokerId: number | undefined) => ({ do: 'plan', ...brokerFields(brokerId) }) as const;
/** A posting for tests, with times that every route accepts. */
const SAMPLE_POSTING = {
  fleet_ids: [PLACEHOLDER_ID],
  opens_at: '2000-01-01T00:00:00Z',
  closes_at: '2100-01-01T00:00:00Z',
  start_at: '2100-01-01T00:00:00Z',
  end_at: '2100-01-02T00:00:00Z',
  standby_limit: 0,
  withdraw_until: '2100-01-01T00:00:00Z',
};

export const ROUTE_ACTIONS: Readonly<Record<RouteAction, Action<RouteCommand>>> = {
  assign_driver: {
    operation: 'routeDriverSet',
    input: (route_id, args) => ({ ...args, route_id }),
    toCommand: (_routeId, brokerId) => ({ do: 'assign_driver', driverId: PLACEHOLDER_ID, ...brokerFields(brokerId) }),
  },
  post_route: {
    operation: 'boardPost',
    input: (route_id, args) => ({ ...args, route_id }),
    toCommand: () => ({ do: 'post', posting: SAMPLE_POSTING }),
    prerequisite: planCommand,
  },
};

export const isOrderAction = (action: ActionName): action is OrderAction =>
  (ON_ORDERS as readonly string[]).includes(action);

export const actionOf = (action: ActionName): Action<OrderCommand> | Action<RouteCommand> =>
  isOrderAction(action) ? ORDER_ACTIONS[action] : ROUTE_ACTIONS[action];
