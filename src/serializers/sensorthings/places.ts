/** Places as Location and as FeatureOfInterest. Equal places share one entity. */
import { hash } from 'node:crypto';
import type { Location } from '../../events/otep/model.js';
import { placeName } from '../support/place.js';
import { selfLink, type Entity } from './entity.js';

const ENCODING = 'application/geo+json';

/** A feature without geometry is valid GeoJSON (RFC 7946, 3.2). Most scans name a place without coordinates. */
const feature = (longitude?: number, latitude?: number) => ({
  type: 'Feature',
  geometry:
    longitude === undefined || latitude === undefined ? null : { type: 'Point', coordinates: [longitude, latitude] },
  properties: null,
});

const PARTS = ['name', 'city', 'region', 'postal_code', 'country', 'code'] as const;

function describe(place: Location): string {
  let text = '';
  for (const part of PARTS) if (place[part] !== undefined) text += text === '' ? place[part] : `, ${place[part]}`;
  return text || 'Coordinates only';
}

export class Places {
  readonly #self: string;
  readonly #known = new Map<string, { readonly location: Entity; readonly featureOfInterest: Entity }>();
  #nowhere: Entity | undefined;

  /** `self` is the address of the document. */
  constructor(self: string) {
    this.#self = self;
  }

  location(place: Location): Entity {
    return this.#of(place).location;
  }

  featureOfInterest(place: Location | undefined): Entity {
    return place ? this.#of(place).featureOfInterest : this.#unknown();
  }

  #of(place: Location) {
    const key = JSON.stringify(place);
    const known = this.#known.get(key);
    if (known) return known;
    const id = hash('sha1', key);
    const shape = feature(place.longitude, place.latitude);
    const [name, description] = [placeName(place), describe(place)];
    const [locationLink, featureLink] = [
      selfLink(this.#self, 'Locations', id),
      selfLink(this.#self, 'FeaturesOfInterest', id),
    ];
    const pair = {
      location: {
        '@iot.id': id,
        '@iot.selfLink': locationLink,
        name,
        description,
        encodingType: ENCODING,
        location: shape,
        properties: place,
      },
      featureOfInterest: {
        '@iot.id': id,
        '@iot.selfLink': featureLink,
        name,
        description,
        encodingType: ENCODING,
        feature: shape,
        properties: place,
      },
    };
    this.#known.set(key, pair);
    return pair;
  }

  /** The place of Observations whose source gave no location; every Observation needs a FeatureOfInterest. */
  #unknown(): Entity {
    return (this.#nowhere ??= {
      '@iot.id': 'unknown',
      '@iot.selfLink': selfLink(this.#self, 'FeaturesOfInterest', 'unknown'),
      name: 'Unknown place',
      description: 'The source did not say where',
      encodingType: ENCODING,
      feature: feature(),
    });
  }
}
