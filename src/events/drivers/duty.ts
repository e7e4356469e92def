/**
 * A driver as a rider: permission for instant delivery, online or offline. In the driver's stream. Positions of riders
 * are not events.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const riderGrantSchema = z.object({
  /** Maximum number of concurrent instant orders of the rider. */
  max_concurrent: z.int(),
  /** Maximum distance to a pickup, in metres; absent: the limit of the request. */
  radius_m: z.int().optional(),
});
export type RiderGrant = z.infer<typeof riderGrantSchema>;

const driverMembers = { driver_id: z.int(), business: z.int(), by: z.int().optional() };

export const InstantGranted = eventType('InstantGranted', z.object({ ...driverMembers, ...riderGrantSchema.shape }));
export const InstantRevoked = eventType('InstantRevoked', z.object(driverMembers));

/** `route_id`: route for accepted orders. `date`: the day of that route, `YYYY-MM-DD`. */
export const RiderWentOnline = eventType(
  'RiderWentOnline',
  z.object({ ...driverMembers, route_id: z.int(), date: z.string(), at: z.string() }),
);
/** `stale`: the rider ignored three offers in a row. */
export const OFFLINE_WHY = ['self', 'stale', 'revoked'] as const;
export const RiderWentOffline = eventType(
  'RiderWentOffline',
  z.object({ ...driverMembers, why: z.enum(OFFLINE_WHY), at: z.string() }),
);

export const DUTY_EVENTS = [InstantGranted, InstantRevoked, RiderWentOnline, RiderWentOffline] as const;
