/** Answers of maps as bytes with a validator: a page that shows a map asks again and again for what rarely changes. */
import { createHash } from 'node:crypto';
import type { Representation } from '../../core/operation.js';
import type { FeatureCollection } from './feature.js';

/** `time`: milliseconds since 1970. */
export function tagged(value: object, mediaType: string, time: number): Representation {
  const body = Buffer.from(JSON.stringify(value));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Only the tag tells whether something changed: records change without the map.
  return { body, mediaType, etag, lastModified: new Date(time).toISOString() };
}

export const geoJson = (features: FeatureCollection, time: number): Representation =>
  tagged(features, 'application/geo+json', time);
