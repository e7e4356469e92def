/**
 * Capacity, skills and reserved time of a driver. Stream `driver-<user id>`; the name of the driver is in the account.
 * The capacity is the default for routes without a capacity. Each event contains driver and business, because any of
 * them may be the first event.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { DRIVER_DOCUMENT_EVENTS } from './profile-and-documents.js';
import { DUTY_EVENTS } from './duty.js';

export const DRIVER_PREFIX = 'driver-';
export const driverStream = (userId: number): string => `${DRIVER_PREFIX}${userId}`;

/** Kilograms and cubic metres; absent: no known limit. */
export const capacitySchema = z.object({
  max_orders: z.int().optional(),
  max_weight: z.number().optional(),
  max_volume: z.number().optional(),
});
export type Capacity = z.infer<typeof capacitySchema>;

export const driverSkillSchema = z.object({
  code: z.string(),
  /** The last day of validity, `YYYY-MM-DD`; absent: unlimited. */
  valid_until: z.string().optional(),
});
export type DriverSkill = z.infer<typeof driverSkillSchema>;

const driverMembers = { driver_id: z.int(), business: z.int(), set_by: z.int().optional() };

export const DriverCapacitySet = eventType(
  'DriverCapacitySet',
  z.object({ ...driverMembers, capacity: capacitySchema }),
);
/** All skills of the driver, replacing the earlier skills. */
export const DriverSkillsSet = eventType(
  'DriverSkillsSet',
  z.object({ ...driverMembers, skills: z.array(driverSkillSchema) }),
);

/**
 * Reserved time of a driver, `for` a `route:<id>` or `instant:<order id>`. It is reserved before the event in that
 * stream, and released if that append fails. `date`: the route's day, `YYYY-MM-DD`. For an instant order, which does
 * not count for a day's limit, it is the day in UTC.
 */
export const DriverTimeReserved = eventType(
  'DriverTimeReserved',
  z.object({
    ...driverMembers,
    reservation_id: z.string(),
    for: z.string(),
    from: z.string(),
    to: z.string(),
    units: z.int(),
    date: z.string(),
    /** For an offered instant order: end of the offer. A second event without it means that the rider accepted. */
    offer_until: z.string().optional(),
    /** The route was assigned to the driver, who did not claim it. */
    given: z.boolean().optional(),
  }),
);
export const DriverTimeReleased = eventType(
  'DriverTimeReleased',
  z.object({ reservation_id: z.string(), why: z.string() }),
);

export const DRIVER_EVENTS = [
  DriverCapacitySet,
  DriverSkillsSet,
  DriverTimeReserved,
  DriverTimeReleased,
  ...DUTY_EVENTS,
  ...DRIVER_DOCUMENT_EVENTS,
] as const;
