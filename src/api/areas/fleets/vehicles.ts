/** Input and output schemas of vehicles. */
import { z } from 'zod';
import type { Vehicle } from '../../../events/fleets/events.js';
import { customAmountSchema, customAmountsInput } from '../plans/capacities.js';

export const fleetName = z.string().trim().min(1).max(100);
const amount = z.number().positive().max(1_000_000);
const price = z
  .string()
  .regex(/^(\d{1,5}|100000)(\.\d{1,2})?$/)
  .optional();
export const vehicleInput = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,40}$/)
      .describe('Id of the vehicle in the fleet. It cannot be reused for another vehicle.'),
    name: fleetName,
    plate: z.string().trim().min(1).max(20).optional(),
    capacity: z
      .strictObject({
        orders: z.int().min(1).max(10_000).optional(),
        packages: z.int().min(1).max(100_000).optional(),
        weight_kg: amount.optional(),
        volume_m3: amount.optional(),
        custom: customAmountsInput
          .optional()
          .describe('Amounts of custom capacities of the business (`custom_capacities`).'),
      })
      .meta({ id: 'VehicleCapacityInput' })
      .default({}),
    attributes: z
      .array(z.string().regex(/^[a-z0-9_]{1,40}$/))
      .max(50)
      .default([])
      .describe('Equipment and abilities: `fridge`, `tail_lift`.'),
    speed_factor: z
      .number()
      .min(0.1)
      .max(3)
      .default(1)
      .describe('Speed relative to the default speed of plans. With the value 2, travel times are half as long.'),
    cost: z
      .strictObject({ per_route: price, per_km: price, per_hour: price })
      .meta({ id: 'VehicleCostInput' })
      .default({})
      .describe(
        'Prices in the currency of the business, as decimal text, at most 100000. For omitted prices, plans use the default prices.',
      ),
    height_cm: z.int().min(1).max(1_000).optional(),
    max_gross_kg: z.int().min(1).max(100_000).optional(),
  })
  .meta({ id: 'FleetVehicleInput' });

const capacitySchema = z
  .object({
    orders: z.int().optional(),
    packages: z.int().optional(),
    weight_kg: z.number().optional(),
    volume_m3: z.number().optional(),
    custom: z.array(customAmountSchema).optional(),
  })
  .meta({ id: 'VehicleCapacity' });
const costSchema = z
  .object({ per_route: z.string().optional(), per_km: z.string().optional(), per_hour: z.string().optional() })
  .describe('Prices in the currency of the business, as decimal text.')
  .meta({ id: 'VehicleCost' });
export const vehicleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    plate: z.string().optional(),
    capacity: capacitySchema,
    attributes: z.array(z.string()),
    speed_factor: z.number(),
    cost: costSchema,
    height_cm: z.int().optional(),
    max_gross_kg: z.int().optional(),
  })
  .meta({ id: 'FleetVehicle' });

const withoutUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
/** Converts a decimal price to hundredths of the currency unit, the format in events. */
const toCents = (price: string | undefined): number | undefined =>
  price === undefined ? undefined : Math.round(Number(price) * 100);
const toDecimal = (price: number | undefined): string | undefined =>
  price === undefined ? undefined : (price / 100).toFixed(2);

/** Converts a vehicle to the format in events. */
export function toStoredVehicle({ id, capacity, cost, ...vehicle }: z.infer<typeof vehicleInput>): Vehicle {
  const { weight_kg: weight, volume_m3: volume, ...load } = capacity;
  const { per_route, per_km, per_hour } = cost;
  return {
    ...vehicle,
    vehicle_id: id,
    capacity: withoutUndefined({ ...load, weight, volume }),
    cost: withoutUndefined({ per_route: toCents(per_route), per_km: toCents(per_km), per_hour: toCents(per_hour) }),
  } as Vehicle;
}

export function toVehicleResponse({ vehicle_id, capacity, cost, ...vehicle }: Vehicle): z.infer<typeof vehicleSchema> {
  const { weight, volume, ...load } = capacity;
  const { per_route, per_km, per_hour } = cost;
  return {
    ...vehicle,
    id: vehicle_id,
    capacity: withoutUndefined({ ...load, weight_kg: weight, volume_m3: volume }),
    cost: withoutUndefined({
      per_route: toDecimal(per_route),
      per_km: toDecimal(per_km),
      per_hour: toDecimal(per_hour),
    }),
  };
}
