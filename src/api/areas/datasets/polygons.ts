/** Polygons: one ring of positions in GeoJSON format. */
import { z } from 'zod';
import { isSamePoint, isSelfIntersecting } from '../../../events/core/ring.js';
import { latitude, longitude } from '../../core/geo.js';

/** 4 to 1,000 positions `[longitude, latitude]`. The last equals the first, and the ring does not cross itself. */
export const polygonInput = z
  .array(z.tuple([longitude, latitude]))
  .min(4)
  .max(1_000)
  .refine((ring) => isSamePoint(ring[0]!, ring.at(-1)!) && !isSelfIntersecting(ring));
