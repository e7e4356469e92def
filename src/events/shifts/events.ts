/**
 * Work shifts of drivers. Stream `shifts-<driver id>-<YYYY-MM>`, with the month in UTC in which its shifts begin. Start
 * and end places may be a home: they are personal data of the driver's account.
 */
import { z } from 'zod';
import { eventType, personal } from '../core/event-types.js';

export const SHIFTS_PREFIX = 'shifts-';
/** `month`: `YYYY-MM`. */
export const shiftsStream = (driverId: number, month: string): string => `${SHIFTS_PREFIX}${driverId}-${month}`;
/** The month of an RFC 3339 time, in UTC. */
export const monthOf = (time: string): string => new Date(time).toISOString().slice(0, 7);

export const SHIFT_PLACES = ['warehouse', 'home', 'coordinates', 'open'] as const;
/** `open`: the shift begins at its first stop, or ends at its last. `coordinates` are stored encrypted next to it. */
export const placeSchema = z.object({ kind: z.enum(SHIFT_PLACES), warehouse_id: z.int().optional() });
export const positionSchema = z.object({ latitude: z.number(), longitude: z.number() });

export const shiftBreakSchema = z.object({
  duration_s: z.int(),
  /** Range for the start of the break, RFC 3339. */
  earliest_at: z.string(),
  latest_at: z.string(),
});

export const shiftSchema = z.object({
  vehicle_id: z.string().optional(),
  /** RFC 3339, with the original offset. */
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
/**
 * The complete shift after the change. `confirm_again`: the driver must confirm the shift again, because it begins
 * soon.
 */
export const ShiftChanged = eventType(
  'ShiftChanged',
  shiftSchema.extend({ shift_id: z.int(), confirm_again: z.boolean(), ...by }),
);
export const ShiftCancelled = eventType('ShiftCancelled', z.object({ shift_id: z.int(), ...by }));
/** The driver confirmed the shift. */
export const ShiftConfirmed = eventType('ShiftConfirmed', z.object({ shift_id: z.int() }));

export const SHIFT_EVENTS = [ShiftPlanned, ShiftChanged, ShiftCancelled, ShiftConfirmed] as const;
