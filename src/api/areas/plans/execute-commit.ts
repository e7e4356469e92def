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
import type { Planner } from './planning-data.js';
import type { RouteReservation, TimeReservations } from './time-reservations.js';
import { stepsOf, type Step } from './steps.js';

export interface CommitOutcome {
  readonly placed: number;
  readonly moved: number;
  readonly refused: { readonly order_id: number; readonly code: string }[];
  readonly closed_route_ids: number[];
}

export interface ExecuteCommitOptions extends Parts<'orders' | 'planning'> {
  readonly commands: Pick<Commands, 'orders' | 'routes'>;
  readonly reservations: TimeReservations;
}

/** Number of orders that are put on routes in parallel. */
const CHUNK_SIZE = 100;

/** Returns the code of a rejection; undefined on success. Other errors are thrown. */
export async function codeOf(result: Promise<unknown>): Promise<string | undefined> {
  try {
    await result;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

/** The commands to the route that receives a planned one. */
export function commandsTo(
  { plan, planner, owner }: { readonly plan: PlanRow; readonly planner: Planner; readonly owner: number },
  index: number,
  routeId: number,
) {
  const { id, date, solved } = plan;
  const { business, brokerId } = planner;
  const route = solved!.routes[index]!;
  const commandFields = (what: string) => ({
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
      ...commandFields('create'),
      do: 'create' as const,
      name,
      schedule_date: date,
      driverId,
      ...(vehicleId !== undefined && { vehicleId }),
      ...(fleetId !== undefined && { fleetId }),
    }),
    sequence: { ...commandFields('sequence'), do: 'sequence' as const, driverId, planned: plannedOf(id, route) },
    close: { ...commandFields('close'), do: 'close' as const },
    /** The driver's time that the route needs. */
    reservationFor: (what: string): RouteReservation => ({
      ...commandFields(what),
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
export async function executeCommit(
  options: ExecuteCommitOptions,
  { plan, planner }: { readonly plan: PlanRow; readonly planner: Planner },
  { cause, cancelled, owner }: Pick<JobHandle, 'cause' | 'cancelled' | 'owner'>,
): Promise<CommitOutcome> {
  const { commands, reservations } = options;
  const { indexes, route_ids, refused_routes = [] } = plan.commit!;
  const routes = plan.solved!.routes;
  // If a route cannot take the plan, only its own orders are rejected.
  const closedBy = new Map(refused_routes.map(({ index, code }) => [index, code]));
  const createdRoutes = new Set<number>();
  for (const [at, index] of indexes.entries()) {
    const routeId = route_ids[at]!;
    const { create, sequence, reservationFor } = commandsTo({ plan, planner, owner }, index, routeId);
    const send = (command: typeof sequence | ReturnType<typeof create>) =>
      codeOf(commands.routes(routeStream(routeId), command, cause));
    const isNew = routes[index]!.route_id === undefined;
    if (isNew && !(await reservations.reserve(reservationFor('reserve'), cause))) {
      closedBy.set(index, 'DRIVER_BOUND');
      continue;
    }
    const creationError = isNew ? await send(create(`Plan ${plan.id}, ${at + 1}`)) : undefined;
    if (isNew && creationError === undefined) createdRoutes.add(routeId);
    const refusal = creationError ?? (await send(sequence));
    if (refusal !== undefined) closedBy.set(index, refusal);
    else if (!isNew) await reservations.move(reservationFor('move'), cause);
  }

  let placed = 0;
  let moved = 0;
  const refused: CommitOutcome['refused'] = [];
  const usedRoutes = new Set<number>(routes.flatMap(({ route_id }) => route_id ?? []));
  const all = refused_routes.map(({ index }) => index).concat(indexes);
  const steps = await stepsOf(options, plan, all, planner);
  const applyStep = async ({ orderId, index, changed, from, command }: Step): Promise<void> => {
    const routeId = route_ids[indexes.indexOf(index)]!;
    const refusal =
      closedBy.get(index) ??
      (changed ? 'ORDER_CHANGED' : await codeOf(commands.orders(orderStream(orderId), command(routeId), cause)));
    if (refusal !== undefined) return void refused.push({ order_id: orderId, code: refusal });
    usedRoutes.add(routeId);
    if (from === undefined) placed += 1;
    else if (from !== routeId) moved += 1;
  };
  for (let at = 0; at < steps.length; at += CHUNK_SIZE) {
    cancelled.throwIfAborted();
    // Runs in parallel, so that one append can contain the events.
    await Promise.all(steps.slice(at, at + CHUNK_SIZE).map(applyStep));
  }
  // Closes new routes without orders.
  const closed = route_ids.filter((id) => createdRoutes.has(id) && !usedRoutes.has(id));
  for (const routeId of closed) {
    const { close, reservationFor } = commandsTo(
      { plan, planner, owner },
      indexes[route_ids.indexOf(routeId)]!,
      routeId,
    );
    await codeOf(commands.routes(routeStream(routeId), close, cause));
    await reservations.release(reservationFor('release'), 'closed', cause);
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
