/**
 * When drivers work. Stream `shifts-<driver id>-<YYYY-MM>`, the month in UTC in which its shifts begin. Where a driver
 * starts and ends may be a home: personal, with the driver's account.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const SHIFTS_PREFIX = 'shifts-';
/** `month`: `YYYY-MM`. */
export const shiftsStream = (driverId: number, month: string): string => `${SHIFTS_PREFIX}${driverId}-${month}`;
/** The month of an RFC 3339 time, in UTC. */
export const monthOf = (time: string): string => new Date(time).toISOString().slice(0, 7);

export const SHIFT_PLACES = ['warehouse', 'home', 'coordinates', 'open'] as const;
/** `open`: the shift begins at its first stop, or ends at its last. `coordinates` are stored sealed next to it. */
export const placeSchema = z.object({ kind: z.enum(SHIFT_PLACES), warehouse_id: z.int().optional() });
export const positionSchema = z.object({ latitude: z.number(), longitude: z.number() });

export const shiftBreakSchema = z.object({
  duration_s: z.int(),
  /** Between these it begins; RFC 3339. */
  earliest_at: z.string(),
  latest_at: z.string(),
});

export const shiftSchema = z.object({
  vehicle_id: z.string().optional(),
  /** RFC 3339, with the offset that was given. */
  start_at: z.string(),
  end_at: z.string(),
  breaks: z.array(shiftBreakSchema),
  start_place: placeSchema,
  end_place: placeSchema,
  start_position: personal(positionSchema),
  end_position: personal(positionSchema),
});
export type Shift = z.infer<typeof shiftSchema>;

const by = { by: z.int().optional() };

export const ShiftPlanned = eventType(
  'ShiftPlanned',
  shiftSchema.extend({ shift_id: z.int(), driver_id: z.int(), business: z.int(), fleet_id: z.int(), ...by }),
);
/** As it is now. `confirm_again`: it begins so soon that the driver must confirm it anew. */
export const ShiftChanged = eventType(
  'ShiftChanged',
  shiftSchema.extend({ shift_id: z.int(), confirm_again: z.boolean(), ...by }),
);
export const ShiftCancelled = eventType('ShiftCancelled', z.object({ shift_id: z.int(), ...by }));
/** By the driver. */
export const ShiftConfirmed = eventType('ShiftConfirmed', z.object({ shift_id: z.int() }));

export const SHIFT_EVENTS = [ShiftPlanned, ShiftChanged, ShiftCancelled, ShiftConfirmed] as const;
