/** Decisions of dispatchers, and the operation that executes each, if there is one. */

/** Decisions that change only the board. */
export const NOTED = ['acknowledge', 'snooze', 'leave', 'contacted'] as const;

/** Decisions on an order. */
export const ON_ORDERS = [
  'hold',
  'release',
  'cancel',
  'reschedule',
  'put_on_route',
  'take_off_route',
  'assign_contractor',
  'revoke_contractor',
  'reroute',
  'instant',
  'settle_scan',
] as const;

/** Decisions on a route. */
export const ON_ROUTES = ['assign_driver', 'post_route'] as const;

export const DECISIONS = [...NOTED, ...ON_ORDERS, ...ON_ROUTES] as const;
export type DecisionName = (typeof DECISIONS)[number];
export type OrderAction = (typeof ON_ORDERS)[number];
export type RouteAction = (typeof ON_ROUTES)[number];
export type ActionName = OrderAction | RouteAction;

export const isAction = (decision: DecisionName): decision is ActionName =>
  !(NOTED as readonly string[]).includes(decision);

export const CONTACTED = ['recipient', 'sender', 'driver', 'contractor', 'carrier'] as const;
export type Contacted = (typeof CONTACTED)[number];
