/** Planning settings in requests and responses. */
import { z } from 'zod';
import { idSchema } from '../../core/ids.js';
import { customCapacitiesInput } from './capacities.js';
import { driveBreak, MATRICES, price } from './request.js';
import { settingsVersionSchema } from '../../core/versions.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
export const members = {
  default_service_s: z.int().min(0).max(28_800).describe('Service time at a stop for the first package, in seconds.'),
  per_further_package_s: z.int().min(0).max(3_600),
  default_shift: z
    .strictObject({
      start_time: clock,
      end_time: clock,
      breaks: z
        .array(
          z
            .strictObject({ duration_s: z.int().min(60).max(14_400), earliest_time: clock, latest_time: clock })
            .meta({ id: 'DefaultShiftBreak' }),
        )
        .max(4),
      drive_break: driveBreak
        .optional()
        .describe('Break that every driver needs after a certain driving time. It also applies to planned shifts.'),
    })
    .meta({ id: 'DefaultShift' }),
  default_start_warehouse_id: idSchema
    .optional()
    .describe('Warehouse where drivers start. Omitted: the only warehouse of the business.'),
  default_end_warehouse_id: idSchema.optional().describe('Warehouse where drivers end. Omitted: the start.'),
  road_factor_percent: z.int().min(100).max(300).describe('Length of roads relative to the straight line, in percent.'),
  speeds: z
    .array(
      z
        .strictObject({ distance_m: z.int().min(0).max(10_000_000), speed_kmh: z.int().min(1).max(200) })
        .meta({ id: 'SpeedAtDistance' }),
    )
    .min(1)
    .max(20)
    .describe('Speed by distance between two stops. Between the given distances, the speed is interpolated linearly.'),
  prices: z
    .strictObject({ per_route: price, per_km: price, per_hour: price })
    .meta({ id: 'PlanPrices' })
    .describe('Prices in the currency of the business, as decimal text, at most 100000.'),
  eta_window_minutes: z.int().min(15).max(240),
  matrix: z
    .enum(MATRICES)
    .optional()
    .describe('Source of distances. Omitted: `haversine` (great circles). It needs no map.'),
  custom_capacities: customCapacitiesInput
    .optional()
    .describe('Capacities that the business defines: `custom:<name>` in plans, `custom` in the capacity of a vehicle.'),
  required_documents: z
    .array(z.string().regex(/^[a-z0-9_]{1,40}$/))
    .max(20)
    .optional()
    .describe('Kinds of documents that a driver must hold to claim a route, or to go online as a rider.'),
  matrix_fallback: z.boolean().optional().describe('Whether plans use `haversine` if the map does not respond.'),
};

export const planningSettingsSchema = z
  .object({ ...members, version: settingsVersionSchema })
  .meta({ id: 'PlanningSettings' });
export type PlanningSettingsResponse = Omit<z.infer<typeof planningSettingsSchema>, 'version'>;
