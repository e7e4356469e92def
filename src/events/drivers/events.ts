/**
 * What a driver's vehicle takes, where a route says nothing else, and what the driver can. Stream `driver-<user id>`;
 * who the driver is, the account says. Each event names driver and business: any may be the first one.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';
import { PAPER_EVENTS } from './papers.js';
import { RIDING_EVENTS } from './riding.js';

export const DRIVER_PREFIX = 'driver-';
export const driverStream = (userId: number): string => `${DRIVER_PREFIX}${userId}`;

/** Absent: no limit is known. Kilograms and cubic metres. */
export const capacitySchema = z.object({
  max_orders: z.int().optional(),
  max_weight: z.number().optional(),
  max_volume: z.number().optional(),
});
export type Capacity = z.infer<typeof capacitySchema>;

export const driverSkillSchema = z.object({
  code: z.string(),
  /** The last day on which it holds, `YYYY-MM-DD`; absent: for good. */
  valid_until: z.string().optional(),
});
export type DriverSkill = z.infer<typeof driverSkillSchema>;

const whose = { driver_id: z.int(), business: z.int(), set_by: z.int().optional() };

export const DriverCapacitySet = eventType('DriverCapacitySet', z.object({ ...whose, capacity: capacitySchema }));
/** All skills of the driver from now on. */
export const DriverSkillsSet = eventType('DriverSkillsSet', z.object({ ...whose, skills: z.array(driverSkillSchema) }));

/**
 * Time that the driver is bound to one thing, `route:<id>` or `instant:<order id>`. Reserved before that is written to
 * its own stream, and released where it is not. `date`: the route's day, `YYYY-MM-DD`; of an instant order, which counts
 * for no day's cap, the day in UTC.
 */
export const DriverTimeReserved = eventType(
  'DriverTimeReserved',
  z.object({
    ...whose,
    reservation_id: z.string(),
    for: z.string(),
    from: z.string(),
    to: z.string(),
    units: z.int(),
    date: z.string(),
    /** Of an instant order that is only offered: until then; said again without, the rider has it. */
    offer_until: z.string().optional(),
    /** Somebody gave the route to the driver, who did not claim it. */
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
  ...RIDING_EVENTS,
  ...PAPER_EVENTS,
] as const;
