/** The commands of a commit to the orders of its routes. */
import type { PlanningQueries } from '../../../projections/contractors/queries.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { OrderCommand } from '../../../commands/orders/decider.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import { orderFingerprint, type Planner } from './planning-data.js';

const PAGE = 1_000;

/** An order of a committed route, and whether it changed. */
export interface Step {
  readonly orderId: number;
  readonly index: number;
  /** The route of the order when it was planned. */
  readonly from?: number;
  readonly changed: boolean;
  readonly command: (routeId: number) => OrderCommand;
}

/** The orders of the routes, each compared with its planned state. */
export async function stepsOf(
  { orders, planning }: { readonly orders: OrderQueries; readonly planning: PlanningQueries },
  { id: planId, solved, problem }: PlanRow,
  indexes: readonly number[],
  { business, brokerId }: Planner,
): Promise<readonly Step[]> {
  const planned = new Map(problem!.orders.map((one) => [one.order_id, one]));
  const planningParty = {
    business,
    ...(brokerId !== undefined && { brokerId, rules: await planning.rulesOf(brokerId, business) }),
  };
  const wanted = indexes.flatMap((index) =>
    [...new Set(solved!.routes[index]!.stops.flatMap(({ order_id }) => order_id ?? []))].map((orderId) => ({
      orderId,
      index,
    })),
  );
  const known = new Map<number, string>();
  for (let at = 0; at < wanted.length; at += PAGE) {
    const ids = wanted.slice(at, at + PAGE).map(({ orderId }) => orderId);
    for (const order of (await orders.list({ ids, offset: 0, limit: PAGE }, { business })).orders)
      known.set(order.id, orderFingerprint(order));
  }
  return wanted.map(({ orderId, index }) => {
    const { facts, route_id: from } = planned.get(orderId)!;
    const command = (routeId: number): OrderCommand => ({
      ...planningParty,
      commandId: derivedId('plan', planId, 'order', orderId),
      orderId,
      planId,
      routeId,
      // Also for orders that stay on their route: a user may have removed them meanwhile, and a plan must not undo
      // that.
      ...(from === undefined ? { do: 'put_on_route' as const } : { do: 'move_to_route' as const, from }),
    });
    return { orderId, index, ...(from !== undefined && { from }), changed: known.get(orderId) !== facts, command };
  });
}
