/** Planning settings as the API has them. */
import { z } from 'zod';
import { idSchema } from '../../core/ids.js';
import { ownCapacitiesInput } from './capacities.js';
import { driveBreak, MATRICES, price } from './request.js';
import { settingsVersionSchema } from '../../core/versions.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
export const members = {
  default_service_s: z.int().min(0).max(28_800).describe('At a stop, for the first package.'),
  per_further_package_s: z.int().min(0).max(3_600),
  default_shift: z.strictObject({
    start_time: clock,
    end_time: clock,
    breaks: z
      .array(z.strictObject({ duration_s: z.int().min(60).max(14_400), earliest_time: clock, latest_time: clock }))
      .max(4),
    drive_break: driveBreak
      .optional()
      .describe('After so long at the wheel a pause of so long: for every driver, also in shifts of their own.'),
  }),
  default_start_warehouse_id: idSchema
    .optional()
    .describe('Warehouse where drivers start; absent: the only one of the business.'),
  default_end_warehouse_id: idSchema.optional().describe('Warehouse where they end; absent: where they start.'),
  road_factor_percent: z.int().min(100).max(300).describe('How much longer roads are than the straight line.'),
  speeds: z
    .array(z.strictObject({ distance_m: z.int().min(0).max(10_000_000), speed_kmh: z.int().min(1).max(200) }))
    .min(1)
    .max(20)
    .describe('Speed by the length of a way; linear in between.'),
  prices: z
    .strictObject({ per_route: price, per_km: price, per_hour: price })
    .describe("Decimal text in the business's currency, at most 100000."),
  eta_window_minutes: z.int().min(15).max(240),
  matrix: z.enum(MATRICES).optional().describe('Where ways come from; absent: `haversine`, which needs no map.'),
  custom_capacities: ownCapacitiesInput
    .optional()
    .describe("What vehicles are full by besides: `custom:<name>` in plans, `custom` of a vehicle's capacity."),
  required_documents: z
    .array(z.string().regex(/^[a-z0-9_]{1,40}$/))
    .max(20)
    .optional()
    .describe('Kinds of documents that a driver must hold to claim a route, or to be online as a rider.'),
  matrix_fallback: z.boolean().optional().describe('Plan by `haversine` where the map does not answer.'),
};

export const shownSettingsSchema = z
  .object({ ...members, version: settingsVersionSchema })
  .meta({ id: 'PlanningSettings' });
export type ShownSettings = Omit<z.infer<typeof shownSettingsSchema>, 'version'>;
