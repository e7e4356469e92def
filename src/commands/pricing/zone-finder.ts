/** Finds the zone of an address: the first zone with a match that holds. */
import { contains, isSamePoint, type Point } from '../../events/core/ring.js';
import type { Place } from '../../events/pricing/inputs.js';
import type { Position } from '../../events/pricing/values.js';
import type { Zone, ZoneMatch } from '../../events/pricing/zones.js';
import { isWithin } from './circle.js';
import { PostalRanges } from './postal-ranges.js';

/** Postal codes are compared in upper case, without spaces and hyphens. */
export const normalizedPostalCode = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '');

/** The polygon as a closed ring. */
export function ringOf(polygon: readonly Position[]): Point[] {
  const ring = polygon.map(({ latitude, longitude }): Point => [longitude, latitude]);
  return isSamePoint(ring[0]!, ring.at(-1)!) ? ring : [...ring, ring[0]!];
}

interface NormalizedPlace {
  readonly postal: string | undefined;
  readonly region: string | undefined;
  readonly position: Position | undefined;
}

type Test = (place: NormalizedPlace) => boolean;

/** Index of the first zone, or Infinity. */
const NONE = Infinity;

/** The matches of one country. Matches of postal codes alone are indexed, because a card has up to 2,000. */
class CountryZones {
  /** Number of the first zone by prefix; the empty prefix is the whole country. */
  private readonly prefixes = new Map<string, number>();
  private longestPrefix = 0;
  private readonly ranges = new PostalRanges();
  /** In the order of the zones. */
  private readonly others: { readonly zone: number; readonly holds: Test }[] = [];

  add(match: ZoneMatch, zone: number): void {
    const { country: _, postal_prefix, postal_from, postal_to, ...more } = match;
    const isPostalOnly = Object.values(more).every((member) => member === undefined);
    if (!isPostalOnly || (postal_prefix !== undefined && postal_from !== undefined))
      this.others.push({ zone, holds: testOf(match) });
    else if (postal_from !== undefined && postal_to !== undefined)
      this.ranges.add(normalizedPostalCode(postal_from), normalizedPostalCode(postal_to), zone);
    else this.addPrefix(normalizedPostalCode(postal_prefix ?? ''), zone);
  }

  private addPrefix(prefix: string, zone: number): void {
    if (!this.prefixes.has(prefix)) this.prefixes.set(prefix, zone);
    this.longestPrefix = Math.max(this.longestPrefix, prefix.length);
  }

  find(place: NormalizedPlace): number {
    const { postal = '' } = place;
    let first = this.ranges.find(postal) ?? NONE;
    for (let length = 0; length <= Math.min(postal.length, this.longestPrefix); length += 1)
      first = Math.min(first, this.prefixes.get(postal.slice(0, length)) ?? NONE);
    for (const { zone, holds } of this.others) {
      if (zone >= first) break;
      if (holds(place)) return zone;
    }
    return first;
  }
}

/** Whether all members of a match hold. Its country is already compared. */
function testOf(match: ZoneMatch): Test {
  const { postal_prefix, postal_from, postal_to, region, circle, polygon } = match;
  const tests: Test[] = [];
  if (postal_prefix !== undefined) {
    const prefix = normalizedPostalCode(postal_prefix);
    tests.push(({ postal }) => postal !== undefined && postal.startsWith(prefix));
  }
  if (postal_from !== undefined && postal_to !== undefined) {
    const [from, to] = [normalizedPostalCode(postal_from), normalizedPostalCode(postal_to)];
    tests.push(({ postal }) => postal !== undefined && postal.length === from.length && postal >= from && postal <= to);
  }
  if (region !== undefined) {
    const wanted = region.toUpperCase();
    tests.push((place) => place.region === wanted);
  }
  if (circle) tests.push(({ position }) => position !== undefined && isWithin(circle.km, circle, position));
  if (polygon) {
    const ring = ringOf(polygon);
    tests.push(({ position }) => position !== undefined && contains(ring, [position.longitude, position.latitude]));
  }
  return (place) => tests.every((holds) => holds(place));
}

/** Returns the code of an address's zone; undefined: outside all zones. */
export type ZoneFinder = (place: Place) => string | undefined;

export function zoneFinder(zones: readonly Zone[]): ZoneFinder {
  const countries = new Map<string, CountryZones>();
  zones.forEach(({ match: matches }, index) => {
    for (const match of matches) {
      const country = countries.get(match.country) ?? new CountryZones();
      countries.set(match.country, country);
      country.add(match, index);
    }
  });
  return ({ country, postal_code, region, position }) => {
    const found = countries
      .get(country)
      ?.find({
        postal: postal_code === undefined ? undefined : normalizedPostalCode(postal_code),
        region: region?.toUpperCase(),
        position,
      });
    return found === undefined ? undefined : zones[found]?.code;
  };
}
