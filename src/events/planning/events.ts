/** Planning and dispatch settings of a business. Stream `planning-<business>`. */
import { z } from 'zod';
import { eventType } from '../core/event-types.js';

export const PLANNING_PREFIX = 'planning-';
export const planningStream = (business: number): string => `${PLANNING_PREFIX}${business}`;

/** Wall clock, `HH:MM`. */
const clock = z.string();
export const shiftSchema = z.object({
  start: clock,
  end: clock,
  breaks: z.array(z.object({ duration_s: z.int(), earliest: clock, latest: clock })),
  /** A break of `duration_s` after `after_s` of driving; absent: none is required. */
  drive_break: z.object({ after_s: z.int(), duration_s: z.int() }).optional(),
});
export type Shift = z.infer<typeof shiftSchema>;

export const planningSettingsSchema = z.object({
  /** Time at a stop for the first package. */
  default_service_s: z.int(),
  per_further_package_s: z.int(),
  default_shift: shiftSchema,
  /** Warehouse where drivers start and end; absent: the only warehouse of the business. */
  default_start: z.int().optional(),
  default_end: z.int().optional(),
  /** Road distance as a percentage of the straight-line distance. */
  road_factor_percent: z.int(),
  /** Speed in km/h by distance in metres, with linear interpolation. */
  speeds: z.array(z.object({ metres: z.int(), kmh: z.int() })),
  /** In thousandths of the currency unit. */
  weights: z.object({ per_route: z.int(), per_km: z.int(), per_hour: z.int() }),
  eta_window_minutes: z.int(),
  /** Source of road distances; absent: no map. */
  matrix: z.enum(['haversine', 'osrm']).optional(),
  /** Plan without a map if the map server does not respond. */
  matrix_fallback: z.boolean().optional(),
  /** Additional capacity types of vehicles: `custom:<name>` in plans. */
  custom_capacities: z.array(z.object({ name: z.string(), unit: z.string() })).optional(),
  /** Kinds of documents that a driver must have to claim a route, or to be online as a rider. */
  required_documents: z.array(z.string()).optional(),
});
export type PlanningSettings = z.infer<typeof planningSettingsSchema>;

export const DEFAULT_PLANNING: PlanningSettings = {
  default_service_s: 180,
  per_further_package_s: 30,
  default_shift: { start: '08:00', end: '17:00', breaks: [{ duration_s: 1_800, earliest: '11:30', latest: '13:30' }] },
  road_factor_percent: 130,
  speeds: [
    { metres: 0, kmh: 18 },
    { metres: 2_000, kmh: 25 },
    { metres: 10_000, kmh: 40 },
    { metres: 50_000, kmh: 65 },
    { metres: 200_000, kmh: 80 },
  ],
  weights: { per_route: 0, per_km: 400, per_hour: 25_000 },
  eta_window_minutes: 60,
};

export const PlanningSettingsSet = eventType(
  'PlanningSettingsSet',
  z.object({ business: z.int(), settings: planningSettingsSchema, set_by: z.int().optional() }),
);

/** Thresholds from which a situation becomes an item of the dispatch board. */
export const dispatchSettingsSchema = z.object({
  /** Days that an order has been on hold. */
  held_days: z.int(),
  /** Minutes since a contractor was assigned an order of today that is still on no route. */
  idle_minutes: z.int(),
  /** Hours without a scan of an order by its carrier. */
  silent_hours: z.int(),
  /** Minutes without a scan by a driver who is on a route. */
  silent_minutes: z.int(),
  /** Minutes that the start of a route is overdue; absent: the default. */
  start_grace: z.int().optional(),
});
export type DispatchSettings = z.infer<typeof dispatchSettingsSchema>;

/** Used if the business has no settings. */
export const DISPATCH_DEFAULTS: Required<DispatchSettings> = {
  held_days: 1,
  idle_minutes: 120,
  silent_hours: 24,
  silent_minutes: 30,
  start_grace: 15,
};

export const DispatchSettingsSet = eventType(
  'DispatchSettingsSet',
  dispatchSettingsSchema.extend({ business: z.int(), set_by: z.int().optional() }),
);

export const PLANNING_EVENTS = [PlanningSettingsSet, DispatchSettingsSet] as const;
