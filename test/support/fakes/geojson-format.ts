/** A fifteenth format: the places where a parcel has been, for maps. */
import type { Format } from '../../../src/serializers/format.js';

export const geojson: Format = {
  name: 'geojson',
  mediaType: 'application/geo+json',
  standard: 'GeoJSON (RFC 7946)',
  version: '2016',
  revision: 1,
  direction: 'out',
  lost: ['everything but status, time and coordinates'],
  headers: { 'Content-Language': 'en' },
  serialize: ({ timeline }) => ({
    type: 'FeatureCollection',
    features: timeline.events.flatMap(({ status_code, occurred_at, location: { longitude, latitude } = {} }) =>
      longitude === undefined || latitude === undefined
        ? []
        : [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [longitude, latitude] },
              properties: { status_code, occurred_at },
            },
          ],
    ),
  }),
};
