/** What kind of code a location carries, and how the place is called. */
import { isGln } from '../../events/otep/gs1.js';
import type { Location } from '../../events/otep/model.js';

export type PlaceCode = 'unlocode' | 'gln' | 'own';

/**
 * The protocol allows a UN/LOCODE, a GLN or the producer's own code and does not say which it is: the form does. A code
 * that has the form of a UN/LOCODE but contradicts the location's country is the producer's own; a GLN must have a
 * right check digit.
 */
export function placeCode(code: string, country?: string): PlaceCode {
  if (/^[A-Z]{2}[A-Z2-9]{3}$/.test(code)) return country === undefined || code.startsWith(country) ? 'unlocode' : 'own';
  return isGln(code) ? 'gln' : 'own';
}

/** The location, unless it says nothing. */
export function placeOf(location: Location | undefined): Location | undefined {
  for (const member in location) if (location[member as keyof Location] !== undefined) return location;
  return undefined;
}

/** Whether a place says something that formats put into an address. */
export const hasAddress = ({ city, region, postal_code, country }: Location): boolean =>
  city !== undefined || region !== undefined || postal_code !== undefined || country !== undefined;

/** The most speaking member of a place, for formats where a name is mandatory. */
export const placeName = (place: Location): string =>
  place.name ??
  place.city ??
  place.code ??
  place.postal_code ??
  place.region ??
  place.country ??
  `${place.latitude}, ${place.longitude}`;
