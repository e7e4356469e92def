/**
 * What a driver's vehicle takes, where a route says nothing else. Stream `driver-<user id>`; who the driver is stands
 * in the account.
 */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const DRIVER_PREFIX = 'driver-';
export const driverStream = (userId: number): string => `${DRIVER_PREFIX}${userId}`;

/** Absent: no limit is known. Kilograms and cubic metres. */
export const capacitySchema = z.object({
  max_orders: z.int().optional(),
  max_weight: z.number().optional(),
  max_volume: z.number().optional(),
});
export type Capacity = z.infer<typeof capacitySchema>;

export const DriverCapacitySet = eventType(
  'DriverCapacitySet',
  z.object({ driver_id: z.int(), business: z.int(), capacity: capacitySchema, set_by: z.int().optional() }),
);

export const DRIVER_EVENTS = [DriverCapacitySet] as const;
