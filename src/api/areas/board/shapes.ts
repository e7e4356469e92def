/** Posted routes as the API returns them, without names and addresses of recipients. */
import { z } from 'zod';
import type { RouteLoad } from '../../../projections/board/queries.js';
import type { BoardRow } from '../../../projections/board/read-model.js';
import type { Route } from '../../../projections/routes/queries.js';
import { zonedTime } from '../../../events/core/local-time.js';
import { rewardShown } from '../../core/money.js';
import { sizesOf } from '../plans/planning-data.js';
import type { IneligibilityReason } from './eligibility.js';
import { RELATIONS } from '../../core/relations.js';
import { versionSchema } from '../../core/versions.js';

export const BOARD_STATES = ['posted', 'claimed', 'held', 'started', 'unposted'] as const;
export type BoardState = (typeof BOARD_STATES)[number];
const DRIVER_STANDINGS = ['none', 'claimed', 'standby', 'held'] as const;

export const driverStandingSchema = z
  .object({
    status: z.enum(DRIVER_STANDINGS),
    queue_position: z
      .int()
      .nullable()
      .describe('Place of the driver in the queue, starting at 1. Null: the driver is not in the queue.'),
    hold_until: z.string().nullable(),
  })
  .meta({ id: 'BoardStanding' });
export const boardRouteSchema = z
  .object({
    id: z.int().describe('Id of the route.'),
    name: z.string(),
    schedule_date: z.string(),
    start_at: z.string().describe('Start of the route, in the time zone of the business.'),
    end_at: z.string(),
    opens_at: z.string(),
    closes_at: z.string(),
    withdraw_until: z.string(),
    areas: z.array(z.string()).describe('First two characters of the postal codes on the route.'),
    stop_count: z.int(),
    package_count: z.int(),
    distance_m: z.int().nullable(),
    weight_kg: z.number(),
    volume_m3: z.number(),
    required_skills: z.array(z.string()),
    reward: rewardShown,
    status: z.enum(BOARD_STATES),
    standby_count: z.int().describe('Number of drivers in the queue.'),
    standby_limit: z.int(),
    my: driverStandingSchema.describe('Relation of the calling driver to the route.'),
    claimable: z.boolean(),
    why_not: z
      .string()
      .nullable()
      .describe('Code of the reason why the caller cannot claim the route now; null if there is none.'),
    driver_id: z
      .int()
      .nullable()
      .describe(
        'Driver who claimed the route. Contractors and captains see drivers of their fleets; drivers see only themselves.',
      ),
    version: versionSchema,
    late_withdrawal_count: z.int().nullable().describe('Number of late withdrawals; null for drivers.'),
  })
  .meta({ id: 'BoardRoute' })
  .register(RELATIONS, { route: { read: 'route', by: 'id' }, driver: 'driver' });

export const stateOf = ({ posted, started_at, held_by, driver_id }: BoardRow): BoardState =>
  started_at !== null
    ? 'started'
    : !posted
      ? 'unposted'
      : held_by !== null
        ? 'held'
        : driver_id !== null
          ? 'claimed'
          : 'posted';

export interface BoardViewContext {
  /** User id of a driver as reader; undefined for other readers. */
  readonly driverId: number | undefined;
  /** Drivers whose ids the reader may see; undefined: all. */
  readonly known: ReadonlySet<number> | undefined;
  readonly timezone: string;
  readonly now: number;
}

export function driverStandingOf(
  { holder, held_by, hold_until, queue }: BoardRow,
  { driverId, timezone }: BoardViewContext,
): z.infer<typeof driverStandingSchema> {
  const queueIndex = driverId === undefined ? -1 : queue.indexOf(driverId);
  const status = ((): (typeof DRIVER_STANDINGS)[number] => {
    if (driverId === undefined) return 'none';
    if (holder === driverId) return 'claimed';
    if (held_by === driverId) return 'held';
    return queueIndex >= 0 ? 'standby' : 'none';
  })();
  const until = status === 'held' && hold_until !== null ? zonedTime(Date.parse(hold_until), timezone) : null;
  return { status, queue_position: queueIndex < 0 ? null : queueIndex + 1, hold_until: until };
}

/** `reason`: the reason why the reading driver may not claim the route. */
export function toBoardRouteResponse(
  row: BoardRow,
  { route, load, reason }: { route: Route; load: RouteLoad | undefined; reason: IneligibilityReason | undefined },
  viewContext: BoardViewContext,
): z.infer<typeof boardRouteSchema> {
  const { timezone, driverId, known, now } = viewContext;
  const { opens_at, closes_at, start_at, end_at, withdraw_until, standby_limit, reward = null } = row.posting!;
  const toLocalTime = (at: string): string => zonedTime(Date.parse(at), timezone);
  const sizes = sizesOf({ packages: [...(load?.packages ?? [])] });
  const status = stateOf(row);
  const unclaimableReason =
    status !== 'posted'
      ? status.toUpperCase()
      : now < Date.parse(opens_at)
        ? 'NOT_OPEN'
        : now >= Date.parse(closes_at)
          ? 'CLOSED'
          : reason;
  return {
    id: row.id,
    name: route.name,
    schedule_date: row.date,
    start_at: toLocalTime(start_at),
    end_at: toLocalTime(end_at),
    opens_at: toLocalTime(opens_at),
    closes_at: toLocalTime(closes_at),
    withdraw_until: toLocalTime(withdraw_until),
    areas: [...(load?.areas ?? [])],
    stop_count: load?.orders ?? 0,
    package_count: load?.packages.length ?? 0,
    distance_m: route.planned?.distance_m ?? null,
    weight_kg: sizes.weight / 1_000,
    volume_m3: sizes.volume / 1_000,
    required_skills: [...(load?.skills ?? [])],
    reward,
    status,
    standby_count: row.queue.length,
    standby_limit,
    my: driverStandingOf(row, viewContext),
    claimable: driverId !== undefined && unclaimableReason === undefined,
    why_not: unclaimableReason ?? null,
    driver_id: row.driver_id !== null && (known?.has(row.driver_id) ?? true) ? row.driver_id : null,
    late_withdrawal_count: driverId === undefined ? row.late_withdrawals : null,
    version: row.revision,
  };
}
