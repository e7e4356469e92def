/** The position of a driver in responses. */
import { z } from 'zod';

export const driverPosition = z
  .object({ at: z.string(), latitude: z.number(), longitude: z.number(), accuracy_m: z.number().nullable() })
  .meta({ id: 'DriverPosition' });

interface Place {
  readonly at: Date;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy_m?: number | undefined;
}

export const toPosition = ({ at, latitude, longitude, accuracy_m }: Place): z.infer<typeof driverPosition> => ({
  at: at.toISOString(),
  latitude,
  longitude,
  accuracy_m: accuracy_m ?? null,
});
