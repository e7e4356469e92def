/** Riders and their permissions in responses. */
import { z } from 'zod';
import type { RiderRow } from '../../../projections/riders/riders.js';

export const grantSchema = z
  .object({
    driver_id: z.int(),
    enabled: z.boolean(),
    max_concurrent: z
      .int()
      .nullable()
      .describe(
        'Maximum number of instant orders at the same time. Null: instant delivery is not enabled for the driver.',
      ),
    radius_m: z.int().nullable(),
  })
  .meta({ id: 'RiderGrant' });
export const toGrant = (driver_id: number, grant: RiderRow['instant']): z.infer<typeof grantSchema> => ({
  driver_id,
  enabled: Boolean(grant),
  max_concurrent: grant?.max_concurrent ?? null,
  radius_m: grant?.radius_m ?? null,
});
export const riderSchema = z
  .object({
    driver_id: z.int(),
    online: z.boolean(),
    changed_at: z.string().nullable().describe('Time when the rider last went online or offline.'),
    grant: grantSchema,
    route_id: z.int().nullable().describe('Route of the accepted orders. Null while the rider is offline.'),
    order_count: z.int().describe('Number of accepted and offered instant orders of the rider.'),
    offer_count: z.int().describe('Number of open offers.'),
    position_at: z.string().nullable().describe('Time of the last known position. Null: no position is known.'),
  })
  .meta({ id: 'Rider' });
