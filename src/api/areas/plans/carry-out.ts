/** Applies a commit to routes and orders. Repeating it after a crash has the same result. */
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import { orderStream } from '../../../events/orders/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { PlannedRoute } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import type { PlanRow } from '../../../projections/plans/read-model.js';
import type { Parts } from '../../core/parts.js';
import type { JobHandle } from '../jobs/kind.js';
import type { PlannerOf } from './facts.js';
import type { GivenRoute, GivenTime } from './given-time.js';
import { stepsOf, type Step } from './steps.js';

export interface CommitOutcome {
  readonly placed: number;
  readonly moved: number;
  readonly refused: { readonly order_id: number; readonly code: string }[];
  readonly closed_route_ids: number[];
}

export interface CarryOptions extends Parts<'orders' | 'planning'> {
  readonly commands: Pick<Commands, 'orders' | 'routes'>;
  readonly givenTime: GivenTime;
}

/** Number of orders that are put on routes in parallel. */
const STEP = 100;

/** Returns the code of a rejection; undefined on success. Other errors are thrown. */
export async function codeOf(done: Promise<unknown>): Promise<string | undefined> {
  try {
    await done;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

/** The commands to the route that receives a planned one. */
export function commandsTo(
  { plan, planner, owner }: { readonly plan: PlanRow; readonly planner: PlannerOf; readonly owner: number },
  index: number,
  routeId: number,
) {
  const { id, date, solved } = plan;
  const { business, brokerId } = planner;
  const route = solved!.routes[index]!;
  const to = (what: string) => ({
    commandId: derivedId('plan', id, what, routeId),
    routeId,
    business,
    by: owner,
    ...(brokerId !== undefined && { brokerId }),
  });
  const driverId = route.driver_id;
  const { vehicle_id: vehicleId, fleet_id: fleetId } = route;
  return {
    create: (name: string) => ({
      ...to('create'),
      do: 'create' as const,
      name,
      schedule_date: date,
      driverId,
      ...(vehicleId !== undefined && { vehicleId }),
      ...(fleetId !== undefined && { fleetId }),
    }),
    sequence: { ...to('sequence'), do: 'sequence' as const, driverId, planned: plannedOf(id, route) },
    close: { ...to('close'), do: 'close' as const },
    /** The driver's time that the route needs. */
    time: (what: string): GivenRoute => ({
      ...to(what),
      driverId,
      date,
      span: { from: route.start * 1_000, to: route.end * 1_000 },
    }),
  };
}

/**
 * Creates the routes of the plan's commit and puts the orders on them. Returns the rejections by order. Steps that are
 * already done are not repeated.
 */
export async function carryOut(
  options: CarryOptions,
  { plan, planner }: { readonly plan: PlanRow; readonly planner: PlannerOf },
  { cause, cancelled, owner }: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
): Promise<CommitOutcome> {
  const { commands, givenTime } = options;
  const { indexes, route_ids, refused_routes = [] } = plan.commit!;
  const routes = plan.solved!.routes;
  // If a route cannot take the plan, only its own orders are rejected.
  const closedBy = new Map(refused_routes.map(({ index, code }) => [index, code]));
  const made = new Set<number>();
  for (const [at, index] of indexes.entries()) {
    const routeId = route_ids[at]!;
    const { create, sequence, time } = commandsTo({ plan, planner, owner }, index, routeId);
    const tell = (command: typeof sequence | ReturnType<typeof create>) =>
      codeOf(commands.routes(routeStream(routeId), command, cause));
    const isNew = routes[index]!.route_id === undefined;
    if (isNew && !(await givenTime.reserve(time('reserve'), cause))) {
      closedBy.set(index, 'DRIVER_BOUND');
      continue;
    }
    const unmade = isNew ? await tell(create(`Plan ${plan.id}, ${at + 1}`)) : undefined;
    if (isNew && unmade === undefined) made.add(routeId);
    const refusal = unmade ?? (await tell(sequence));
    if (refusal !== undefined) closedBy.set(index, refusal);
    else if (!isNew) await givenTime.move(time('move'), cause);
  }

  let placed = 0;
  let moved = 0;
  const refused: CommitOutcome['refused'] = [];
  const filled = new Set<number>(routes.flatMap(({ route_id }) => route_id ?? []));
  const all = refused_routes.map(({ index }) => index).concat(indexes);
  const steps = await stepsOf(options, plan, all, planner);
  const carry = async ({ orderId, index, changed, from, command }: Step): Promise<void> => {
    const routeId = route_ids[indexes.indexOf(index)]!;
    const refusal =
      closedBy.get(index) ??
      (changed ? 'ORDER_CHANGED' : await codeOf(commands.orders(orderStream(orderId), command(routeId), cause)));
    if (refusal !== undefined) return void refused.push({ order_id: orderId, code: refusal });
    filled.add(routeId);
    if (from === undefined) placed += 1;
    else if (from !== routeId) moved += 1;
  };
  for (let at = 0; at < steps.length; at += STEP) {
    cancelled.throwIfAborted();
    // Runs in parallel, so that one append can contain the events.
    await Promise.all(steps.slice(at, at + STEP).map(carry));
  }
  // Closes new routes without orders.
  const closed = route_ids.filter((id) => made.has(id) && !filled.has(id));
  for (const routeId of closed) {
    const { close, time } = commandsTo({ plan, planner, owner }, indexes[route_ids.indexOf(routeId)]!, routeId);
    await codeOf(commands.routes(routeStream(routeId), close, cause));
    await givenTime.release(time('release'), 'closed', cause);
  }
  refused.sort((a, b) => a.order_id - b.order_id);
  return { placed, moved, refused, closed_route_ids: closed };
}

const plannedOf = (planId: number, { start, end, distance_m, vehicle_id, done = [], stops }: PlannedRoute) => ({
  plan_id: planId,
  start,
  end,
  distance_m,
  stops: [...done, ...stops],
  ...(vehicle_id !== undefined && { vehicle_id }),
});
