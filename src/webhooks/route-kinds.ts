/** Webhooks about routes, including the route board. */
import { z } from 'zod';
import {
  RouteClaimed,
  RouteClaimLost,
  RouteClaimWithdrawn,
  RouteFinished,
  RouteStarted,
  StandbyHoldLapsed,
  StandbyPromoted,
} from '../events/routes/board.js';
import {
  ROUTE_PREFIX,
  RouteClosed,
  RouteDriverAssigned,
  RoutePlanned,
  RouteStopsPinned,
  RouteStopsUnpinned,
  type PlannedStop,
} from '../events/routes/events.js';
import { given, oneOf, type Changes, type Example, type Kind, type PayloadInput } from './kind.js';

const ROUTE_CHANGES: Changes = {
  [RouteDriverAssigned.type]: 'driver_assigned',
  [RouteStopsPinned.type]: 'stops_pinned',
  [RouteStopsUnpinned.type]: 'stops_unpinned',
  [RouteStarted.type]: 'started',
  [RouteFinished.type]: 'finished',
};
const CLAIMED: Changes = { [RouteClaimed.type]: 'claimed', [StandbyPromoted.type]: 'held' };
const WITHDRAWN: Changes = {
  [RouteClaimWithdrawn.type]: 'withdrawn',
  [RouteClaimLost.type]: 'lost',
  [StandbyHoldLapsed.type]: 'hold_lapsed',
};

const id = z.int();
const text = z.string();
const common = { since: '0.1.0', prefix: ROUTE_PREFIX, objectId: 'route_id' } as const;
const routeOf = ({ firstData }: PayloadInput) => ({ route_id: firstData['route_id'] as number });
const example = (...trigger: NonNullable<Example['trigger']>): Example => ({
  stream: `${ROUTE_PREFIX}0`,
  first: ['RouteCreated', { route_id: 0, business: 0, name: 'Berlin Mitte', schedule_date: '2026-01-05' }],
  trigger,
});

const boardKind = (type: Kind['type'], changes: Changes, ...trigger: NonNullable<Example['trigger']>): Kind => ({
  ...common,
  type,
  on: Object.keys(changes),
  shape: z.object({
    route_id: id,
    change: oneOf(changes),
    driver_id: id,
    from_standby: z.boolean().optional(),
    hold_until: text.optional(),
    next: id.optional(),
    late: z.boolean().optional(),
    why: text.optional(),
  }),
  // The status is claimed, held for the next driver, or otherwise free.
  status: ({ event, data }) => CLAIMED[event.type] ?? (data['next'] === undefined ? undefined : 'held'),
  data: (input) => ({
    ...routeOf(input),
    change: changes[input.event.type]!,
    ...given(input.data, 'driver_id', 'from_standby', 'hold_until', 'next', 'late', 'why'),
  }),
  example: example(...trigger),
});

export const ROUTE_KINDS = {
  /** `route.changed` reports the driver of a planned route, because the driver may be assigned earlier or later. */
  route_planned: {
    ...common,
    type: 'route.planned',
    on: [RoutePlanned.type],
    shape: z.object({
      route_id: id,
      plan_id: id.optional(),
      order_ids: z.array(id),
      start_at: text,
      end_at: text,
      distance_m: id,
    }),
    data: (input) => {
      const { start, end, stops } = input.data as unknown as { start: number; end: number; stops: PlannedStop[] };
      return {
        ...routeOf(input),
        ...given(input.data, 'plan_id'),
        order_ids: [...new Set(stops.flatMap(({ order_id }) => order_id ?? []))],
        start_at: timeOf(start),
        end_at: timeOf(end),
        ...given(input.data, 'distance_m'),
      };
    },
    example: example('RoutePlanned', {
      plan_id: 0,
      start: 1_767_598_200,
      end: 1_767_612_600,
      distance_m: 18_400,
      stops: [
        { order_id: 0, kind: 1, arrive: 1_767_600_000, start: 1_767_600_000, leave: 1_767_600_180 },
        { kind: 2, arrive: 1_767_605_400, start: 1_767_605_400, leave: 1_767_607_200 },
      ],
    }),
  },
  route_changed: {
    ...common,
    type: 'route.changed',
    on: Object.keys(ROUTE_CHANGES),
    // The other changes do not change the status.
    status: ({ event }) =>
      event.type === RouteStarted.type || event.type === RouteFinished.type ? ROUTE_CHANGES[event.type] : undefined,
    previousStatus: ({ event }) => (event.type === RouteFinished.type ? 'started' : undefined),
    occurred: 'at',
    shape: z.object({
      route_id: id,
      change: oneOf(ROUTE_CHANGES),
      driver_id: id.optional(),
      order_ids: z.array(id).optional(),
      pin: text.optional(),
      at: text.optional(),
    }),
    data: (input) => ({
      ...routeOf(input),
      change: ROUTE_CHANGES[input.event.type]!,
      ...given(input.data, 'driver_id', 'order_ids', 'pin', 'at'),
    }),
    example: example('RouteStarted', { at: '2026-01-05T07:02:00.000Z', by: 0 }),
  },
  route_closed: {
    ...common,
    type: 'route.closed',
    on: [RouteClosed.type],
    status: () => 'closed',
    shape: z.object({ route_id: id }),
    data: routeOf,
    example: example('RouteClosed', { closed_by: 0 }),
  },
  route_board_claimed: boardKind('route_board.claimed', CLAIMED, 'RouteClaimed', { driver_id: 0, from_standby: false }),
  route_board_withdrawn: boardKind('route_board.withdrawn', WITHDRAWN, 'RouteClaimWithdrawn', {
    driver_id: 0,
    late: true,
  }),
} as const satisfies Readonly<Record<string, Kind>>;

/** Converts epoch seconds to RFC 3339. */
const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();
