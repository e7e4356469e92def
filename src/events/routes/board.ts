/**
 * What happens to a route apart from its planning: it is started and finished, and offered on the board of routes,
 * where drivers claim it. All in its stream: the first append wins.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';
import { moneySchema } from '../core/money.js';

const userId = z.int().optional();
const driver = { driver_id: z.int() };
/** For whom it is held next, promoted in the same append; absent: for nobody, or recorded before it was told. */
const next = z.int().optional();

/** Nobody claimed it in time; nobody confirmed what was held. */
export const CLOSE_TIMER = 'close';
export const HOLD_TIMER = 'hold';

/** `at`: RFC 3339. */
export const RouteStarted = eventType('RouteStarted', z.object({ at: z.string(), by: userId }), {
  timers: () => [{ clear: CLOSE_TIMER }, { clear: HOLD_TIMER }],
});
export const RouteFinished = eventType('RouteFinished', z.object({ at: z.string(), by: userId }));

/** Times are RFC 3339. What is posted again is posted so from now on. */
export const postingSchema = z.object({
  /** Whose drivers may claim it. */
  fleet_ids: z.array(z.int()),
  opens_at: z.string(),
  closes_at: z.string(),
  /** When it is driven: what a driver's time is reserved for. */
  start_at: z.string(),
  end_at: z.string(),
  standby_limit: z.int(),
  /** A withdrawal after it is late. */
  withdraw_until: z.string(),
  /** Told, not paid here. */
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
/** The subject of the reason is the driver's account. */
export const RouteClaimWithdrawn = eventType(
  'RouteClaimWithdrawn',
  z.object({ ...driver, late: z.boolean(), next, reason: personal(z.string()) }),
);
/** Its holder may not have it any more; `why`: a code. */
export const RouteClaimLost = eventType('RouteClaimLost', z.object({ ...driver, why: z.string(), next }));
export const StandbyJoined = eventType('StandbyJoined', z.object(driver));
export const StandbyLeft = eventType(
  'StandbyLeft',
  z.object({ ...driver, why: z.enum(['self', 'assigned', 'closed']) }),
);
/** The route waits for this one until then. */
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
