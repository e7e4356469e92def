/** Schemas of geographic positions in requests. */
import { z } from 'zod';
import { withFormat } from '../../events/core/format.js';

export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);

/** WGS 84 degrees. */
export const positionInput = z.strictObject({ latitude, longitude }).meta({ id: 'PositionInput' });
export const positionSchema = z.object({ latitude: z.number(), longitude: z.number() }).meta({ id: 'Position' });

const BOX =
  /^(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,2}(?:\.\d{1,15})?),(-?\d{1,3}(?:\.\d{1,15})?),(-?\d{1,2}(?:\.\d{1,15})?)$/;

/** A bounding box as the text `west,south,east,north` (the order of RFC 7946, section 5), for a query parameter. */
export const boxInput = withFormat(
  z
    .string()
    .regex(BOX)
    .refine((text) => {
      const { west, south, east, north } = boxOf(text);
      return (
        Math.abs(west) <= 180 &&
        Math.abs(east) <= 180 &&
        Math.abs(south) <= 90 &&
        Math.abs(north) <= 90 &&
        south <= north
      );
    }),
  '`west,south,east,north` in degrees',
).describe('Bounding box `west,south,east,north` in degrees.');

export function boxOf(text: string): { west: number; south: number; east: number; north: number } {
  const [west, south, east, north] = text.split(',').map(Number);
  return { west: west!, south: south!, east: east!, north: north! };
}
