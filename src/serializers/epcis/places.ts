/**
 * Converts locations to EPCIS places and back. A place is a GLN, or else coordinates (RFC 5870), or else a private URN.
 */
import type { Location } from '../../events/otep/model.js';
import { glnOf } from '../../events/otep/digital-link.js';
import { hasAddress, placeCode } from '../support/place.js';
import { decodePart, encodePart } from './uri.js';

const LOCODE_URN = 'urn:otep:loc:unlocode:';
const CODE_URN = 'urn:otep:loc:code:';
const ADDRESS_URN = 'urn:otep:loc:address:';
const ADDRESS = ['country', 'region', 'postal_code', 'city', 'name'] as const;

/**
 * Returns the URI of a place, or undefined if the location is empty. A producer's code is unique only for that
 * producer, so the URI contains `provider`.
 */
export function placeUri(location: Location, provider: string): string | undefined {
  const { code, name, country, latitude, longitude } = location;
  if (code !== undefined) {
    const kind = placeCode(code, country);
    if (kind === 'gln') return `https://id.gs1.org/414/${code}`;
    return kind === 'unlocode' ? LOCODE_URN + code : `${CODE_URN}${encodePart(provider)}:${encodePart(code)}`;
  }
  if (name !== undefined || hasAddress(location))
    return ADDRESS_URN + ADDRESS.map((member) => encodePart(location[member] ?? '')).join(':');
  if (latitude === undefined || longitude === undefined) return undefined;
  return `geo:${decimal(latitude)},${decimal(longitude)}`;
}

/** RFC 5870 allows no exponent and no minus zero. Nine decimals are a tenth of a millimetre. */
function decimal(degrees: number): string {
  const plain = String(degrees);
  const text = plain.includes('e') ? degrees.toFixed(9).replace(/\.?0+$/, '') : plain;
  return text === '-0' ? '0' : text;
}

const GEO = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:[,;].*)?$/;

/** Returns the location that a place's URI names. A URI of unknown form becomes the location's code. */
export function locationOf(place: string): Location {
  const geo = GEO.exec(place);
  if (geo !== null) {
    const [latitude, longitude] = [Number(geo[1]), Number(geo[2])];
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  }
  if (place.startsWith(LOCODE_URN)) return { code: place.slice(LOCODE_URN.length) };
  if (place.startsWith(CODE_URN)) return { code: decodePart(place.slice(place.lastIndexOf(':') + 1)) };
  if (place.startsWith(ADDRESS_URN)) return addressOf(place.slice(ADDRESS_URN.length).split(':'));
  return { code: glnOf(place) ?? place };
}

function addressOf(parts: readonly string[]): Location {
  return Object.fromEntries(
    ADDRESS.flatMap((member, index) => (parts[index] ? [[member, decodePart(parts[index])]] : [])),
  );
}
