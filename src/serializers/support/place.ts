/** The kind of code that a location has, and the name of a place. */
import { isGln } from '../../events/otep/gs1.js';
import type { Location } from '../../events/otep/model.js';

export type PlaceCode = 'unlocode' | 'gln' | 'own';

/**
 * The protocol allows a UN/LOCODE, a GLN or the producer's own code without stating the kind, so the kind follows from
 * the form. A code in the form of a UN/LOCODE that contradicts the location's country is the producer's own. A GLN must
 * have a correct check digit.
 */
export function placeCode(code: string, country?: string): PlaceCode {
  if (/^[A-Z]{2}[A-Z2-9]{3}$/.test(code)) return country === undefined || code.startsWith(country) ? 'unlocode' : 'own';
  return isGln(code) ? 'gln' : 'own';
}

/** Returns the location, or undefined if it has no members. */
export function placeOf(location: Location | undefined): Location | undefined {
  for (const member in location) if (location[member as keyof Location] !== undefined) return location;
  return undefined;
}

/** Returns whether a place has members that formats write as an address. */
export const hasAddress = ({ city, region, postal_code, country }: Location): boolean =>
  city !== undefined || region !== undefined || postal_code !== undefined || country !== undefined;

/** Returns the most descriptive member of a place, for formats that require a name. */
export const placeName = (place: Location): string =>
  place.name ??
  place.city ??
  place.code ??
  place.postal_code ??
  place.region ??
  place.country ??
  `${place.latitude}, ${place.longitude}`;
