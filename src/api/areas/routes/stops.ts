/** The stops of a route, in the planned sequence. */
import { z } from 'zod';
import { LOCKS, type PlannedStop } from '../../../events/routes/events.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Route } from '../../../projections/routes/queries.js';
import { isStopCompleted, lockOf } from './locks.js';
import { STOP_KINDS, STOPS } from './planned.js';
import { RELATIONS } from '../../core/relations.js';

export const routeStopSchema = z
  .object({
    seq: z.int(),
    kind: z.enum(STOP_KINDS),
    order_id: z.int().nullable().describe('Id of the order. Null for a break.'),
    tracking_numbers: z.array(z.string()),
    arrive_at: z.string().nullable().describe('Planned arrival. Null: the stop is not planned.'),
    start_at: z.string().nullable(),
    leave_at: z.string().nullable(),
    eta_from: z
      .string()
      .nullable()
      .describe(
        'Start of the arrival window to announce. The plan sets it, and it stays when a user changes the sequence. Tracking shows the schedule of the order instead.',
      ),
    eta_to: z.string().nullable(),
    distance_m: z.int().nullable().describe('Distance from the previous stop, in metres.'),
    locked: z
      .enum(LOCKS)
      .nullable()
      .describe(
        'Reason why plans do not change the stop. `done`: completed. `van`: the driver has the goods. `pin`: pinned by a user. `manual`: added by a user.',
      ),
  })
  .meta({ id: 'RouteStop' })
  .register(RELATIONS, { order: 'order' });

export function toRouteStops(route: Route, orders: readonly Order[]): z.infer<typeof routeStopSchema>[] {
  const known = new Map(orders.map((order) => [order.id, order]));
  const planned = (route.planned?.stops ?? []).filter(({ order_id }) => order_id === undefined || known.has(order_id));
  const plannedIds = new Set(planned.map(({ order_id }) => order_id));
  const unplanned = orders.filter(({ id }) => !plannedIds.has(id));
  const underWay = planned.some(
    ({ order_id, kind }) => order_id !== undefined && isStopCompleted(known.get(order_id)!, kind),
  );
  const rows: { kind: PlannedStop['kind']; order: Order | undefined; stop?: PlannedStop }[] = [
    ...planned.map((stop) => ({ kind: stop.kind, order: known.get(stop.order_id ?? -1), stop })),
    ...unplanned.flatMap((order) =>
      STOPS[order.type].map((kind) => ({ kind: kind === 'pickup' ? (0 as const) : (1 as const), order })),
    ),
  ];
  return rows.map(({ kind, order, stop }, index) => ({
    seq: index + 1,
    kind: STOP_KINDS[kind],
    order_id: order?.id ?? null,
    tracking_numbers: order?.packages.map(({ tracking_number }) => tracking_number) ?? [],
    arrive_at: at(stop?.arrive),
    start_at: at(stop?.start),
    leave_at: at(stop?.leave),
    eta_from: at(stop?.eta_from),
    eta_to: at(stop?.eta_to),
    distance_m: stop?.distance_m ?? null,
    locked: order ? (isStopCompleted(order, kind) ? 'done' : (lockOf(order, route, underWay) ?? null)) : null,
  }));
}

const at = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1_000).toISOString();
