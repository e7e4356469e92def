/**
 * A driver as a rider: granted instant delivery, on the way or not. In the driver's stream. Where riders are is no
 * event.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const riderGrantSchema = z.object({
  /** Instant orders that the rider may have at the same time. */
  max_concurrent: z.int(),
  /** How far the way to a pick-up may be, in metres; absent: as far as the request says. */
  radius_m: z.int().optional(),
});
export type RiderGrant = z.infer<typeof riderGrantSchema>;

const whose = { driver_id: z.int(), business: z.int(), by: z.int().optional() };

export const InstantGranted = eventType('InstantGranted', z.object({ ...whose, ...riderGrantSchema.shape }));
export const InstantRevoked = eventType('InstantRevoked', z.object(whose));

/** `route_id`: where accepted orders go. `date`: the day of that route, `YYYY-MM-DD`. */
export const RiderWentOnline = eventType(
  'RiderWentOnline',
  z.object({ ...whose, route_id: z.int(), date: z.string(), at: z.string() }),
);
/** `stale`: let three offers in a row go by. */
export const OFFLINE_WHY = ['self', 'stale', 'revoked'] as const;
export const RiderWentOffline = eventType(
  'RiderWentOffline',
  z.object({ ...whose, why: z.enum(OFFLINE_WHY), at: z.string() }),
);

export const RIDING_EVENTS = [InstantGranted, InstantRevoked, RiderWentOnline, RiderWentOffline] as const;
