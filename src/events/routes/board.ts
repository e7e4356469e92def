/**
 * Events of a route besides its planning: it is started and finished, and offered on the route board, where drivers
 * claim it. All are in the route's stream, so the first append wins.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { moneySchema } from '../core/money.js';

const userId = z.int().optional();
const driver = { driver_id: z.int() };
/** The next driver in the queue, promoted in the same append. Absent: none, or an older event without this member. */
const next = z.int().optional();

/** Timers: the posting was not claimed in time, or a reserved route was not confirmed in time. */
export const CLOSE_TIMER = 'close';
export const HOLD_TIMER = 'hold';

/** `at`: RFC 3339. */
export const RouteStarted = eventType('RouteStarted', z.object({ at: z.string(), by: userId }), {
  timers: () => [{ clear: CLOSE_TIMER }, { clear: HOLD_TIMER }],
});
export const RouteFinished = eventType('RouteFinished', z.object({ at: z.string(), by: userId }));

/** Times are RFC 3339. Posting again replaces the earlier posting. */
export const postingSchema = z.object({
  /** Fleets whose drivers may claim the route. */
  fleet_ids: z.array(z.int()),
  opens_at: z.string(),
  closes_at: z.string(),
  /** Driving time of the route, for which a driver's time is reserved. */
  start_at: z.string(),
  end_at: z.string(),
  standby_limit: z.int(),
  /** A later withdrawal counts as late. */
  withdraw_until: z.string(),
  /** Displayed only; the service does not pay it. */
  reward: moneySchema.optional(),
});
export type Posting = z.infer<typeof postingSchema>;

export const RoutePosted = eventType('RoutePosted', postingSchema.extend({ posted_by: userId }), {
  timers: ({ closes_at }) => ({ set: { name: CLOSE_TIMER, at: closes_at } }),
});
export const UNPOSTED_WHY = ['office', 'expired', 'assigned', 'closed'] as const;
export const RouteUnposted = eventType('RouteUnposted', z.object({ why: z.enum(UNPOSTED_WHY), by: userId }), {
  timers: () => [{ clear: CLOSE_TIMER }, { clear: HOLD_TIMER }],
});
export const RouteClaimed = eventType('RouteClaimed', z.object({ ...driver, from_standby: z.boolean() }), {
  timers: () => ({ clear: HOLD_TIMER }),
});
/** The key subject of the reason is the driver's account. */
export const RouteClaimWithdrawn = eventType(
  'RouteClaimWithdrawn',
  z.object({ ...driver, late: z.boolean(), next, reason: personal(z.string()) }),
);
/** The driver lost the claim; `why`: a code. */
export const RouteClaimLost = eventType('RouteClaimLost', z.object({ ...driver, why: z.string(), next }));
export const StandbyJoined = eventType('StandbyJoined', z.object(driver));
export const StandbyLeft = eventType(
  'StandbyLeft',
  z.object({ ...driver, why: z.enum(['self', 'assigned', 'closed']) }),
);
/** The route is reserved for this driver until that time. */
export const StandbyPromoted = eventType('StandbyPromoted', z.object({ ...driver, hold_until: z.string() }), {
  timers: ({ hold_until }) => ({ set: { name: HOLD_TIMER, at: hold_until } }),
});
export const StandbyHoldLapsed = eventType(
  'StandbyHoldLapsed',
  z.object({ ...driver, why: z.enum(['lapsed', 'declined']), next }),
  { timers: () => ({ clear: HOLD_TIMER }) },
);

export const BOARD_EVENTS = [
  RoutePosted,
  RouteUnposted,
  RouteClaimed,
  RouteClaimWithdrawn,
  RouteClaimLost,
  StandbyJoined,
  StandbyLeft,
  StandbyPromoted,
  StandbyHoldLapsed,
] as const;
