/** Responses of maps as bytes with an ETag: pages that show a map request data often that rarely changes. */
import { createHash } from 'node:crypto';
import type { Representation } from '../../core/operation.js';
import type { FeatureCollection } from './feature.js';

/** `time`: milliseconds since 1970. */
export function withETag(value: object, mediaType: string, time: number): Representation {
  const body = Buffer.from(JSON.stringify(value));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Only the ETag shows whether the data changed: records change without a change of the map.
  return { body, mediaType, etag, lastModified: new Date(time).toISOString() };
}

export const geoJson = (features: FeatureCollection, time: number): Representation =>
  withETag(features, 'application/geo+json', time);
