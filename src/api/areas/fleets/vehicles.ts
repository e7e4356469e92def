/** Vehicles of a fleet, as they are given and shown. */
import { z } from 'zod';
import { loadSchema } from '../../../events/fleets/events.js';
import { ownAmountsInput } from '../plans/capacities.js';

export const fleetName = z.string().trim().min(1).max(100);
const amount = z.number().positive().max(1_000_000);
const hundredths = z.int().min(0).max(10_000_000).optional();
export const vehicleInput = z.strictObject({
  vehicle_id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,40}$/)
    .describe('What the fleet calls it; never given to another one.'),
  name: fleetName,
  plate: z.string().trim().min(1).max(20).optional(),
  capacity: z
    .strictObject({
      orders: z.int().min(1).max(10_000).optional(),
      packages: z.int().min(1).max(100_000).optional(),
      weight: amount.optional().describe('Kilograms.'),
      volume: amount.optional().describe('Cubic metres.'),
      custom: ownAmountsInput.optional().describe("Of the business's own capacities (`custom_capacities`)."),
    })
    .default({}),
  attributes: z
    .array(z.string().regex(/^[a-z0-9_]{1,40}$/))
    .max(50)
    .default([])
    .describe('What it has and can: `fridge`, `tail_lift`.'),
  speed_factor: z
    .number()
    .min(0.1)
    .max(3)
    .default(1)
    .describe('Against the usual speed of plans: 2 needs half the time for a way.'),
  cost: z
    .strictObject({ per_route: hundredths, per_km: hundredths, per_hour: hundredths })
    .default({})
    .describe("In hundredths of the business's currency; of what is absent plans take the usual price."),
  height_cm: z.int().min(1).max(1_000).optional(),
  max_gross_kg: z.int().min(1).max(100_000).optional(),
});

export const vehicleShown = z
  .object({
    vehicle_id: z.string(),
    name: z.string(),
    plate: z.string().optional(),
    capacity: z.object(loadSchema.shape),
    attributes: z.array(z.string()),
    speed_factor: z.number(),
    cost: z.object({ per_route: z.int().optional(), per_km: z.int().optional(), per_hour: z.int().optional() }),
    height_cm: z.int().optional(),
    max_gross_kg: z.int().optional(),
  })
  .meta({ id: 'FleetVehicle' });
