/** What a business sets for its planning and its dispatch. Stream `planning-<business>`. */
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
  /** After so long at the wheel a pause of so long; absent: none is due. */
  drive_break: z.object({ after_s: z.int(), duration_s: z.int() }).optional(),
});
export type Shift = z.infer<typeof shiftSchema>;

export const planningSettingsSchema = z.object({
  /** At a stop, for the first package. */
  default_service_s: z.int(),
  per_further_package_s: z.int(),
  default_shift: shiftSchema,
  /** Warehouse where drivers start and end; absent: the business's only one. */
  default_start: z.int().optional(),
  default_end: z.int().optional(),
  /** How much longer a road is than the straight line, in hundredths. */
  road_factor_percent: z.int(),
  /** Speed in km/h by the length of a way in metres; linear in between. */
  speeds: z.array(z.object({ metres: z.int(), kmh: z.int() })),
  /** Thousandths of the currency. */
  weights: z.object({ per_route: z.int(), per_km: z.int(), per_hour: z.int() }),
  eta_window_minutes: z.int(),
  /** Where ways come from; absent: no map. */
  matrix: z.enum(['haversine', 'osrm']).optional(),
  /** Plan without a map where none answers. */
  matrix_fallback: z.boolean().optional(),
  /** What vehicles are full by besides: `custom:<name>` in plans. */
  custom_capacities: z.array(z.object({ name: z.string(), unit: z.string() })).optional(),
  /** Kinds of documents that a driver must hold to claim a route, or to be online as a rider. */
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

/** From when on a fact is an item of the dispatch board. */
export const dispatchSettingsSchema = z.object({
  /** An order is on hold for longer than so many days. */
  held_days: z.int(),
  /** A contractor has an order of today, and no route for it, so many minutes after it was assigned. */
  idle_minutes: z.int(),
  /** A carrier has an order and did not scan it for so many hours. */
  silent_hours: z.int(),
  /** A driver is under way and did not scan for so many minutes. */
  silent_minutes: z.int(),
  /** A route was to start so many minutes ago and did not; absent: as the defaults say. */
  start_grace: z.int().optional(),
});
export type DispatchSettings = z.infer<typeof dispatchSettingsSchema>;

/** Where a business set nothing. */
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
