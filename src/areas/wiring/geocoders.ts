/** The geocoding servers that the operator has configured. */
import type { Geocoder } from '../../engines/geocoding/geocoder.js';
import { Nominatim } from '../../engines/geocoding/nominatim.js';
import { createRateLimitedGeocoder } from '../../engines/geocoding/rate-limited-geocoder.js';
import type { AreaContext } from '../area-context.js';

export function geocodersOf({
  config: { geocoding },
  engines,
  baseUrl,
  version,
}: Pick<AreaContext, 'config' | 'engines' | 'baseUrl' | 'version'>): readonly Geocoder[] {
  const { nominatimUrl: url, nominatimRps: rps } = geocoding;
  if (url === undefined) return [];
  const secret = () => engines.secretFor('geocoded addresses');
  const userAgent = () => `OpenTransport/${version} (+${baseUrl()})`;
  return [createRateLimitedGeocoder(new Nominatim({ url, userAgent }), { pool: engines.pool, secret, rps })];
}
