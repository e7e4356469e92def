/**
 * Geocoding. Searches the geocoding datasets of the business first, without network requests. Asks the configured
 * geocoding servers, in their order, only for addresses that are not found there, and only until a timeout.
 */
import type { PlaceQueries, Place } from '../../../projections/datasets/places.js';
import { addressKey, likeness } from '../../../projections/datasets/place-key.js';
import { metresBetween } from '../../../projections/core/geo.js';
import type { PositionSource } from '../../../events/orders/events.js';
import {
  GeocoderDown,
  type Address,
  type Degrees,
  type FoundPlace,
  type Geocoder,
} from '../../../engines/geocoding/geocoder.js';

export type Located = FoundPlace & { readonly source: PositionSource };
export type NotLocated =
  | { readonly code: 'NOT_FOUND' | 'GEOCODER_DOWN' }
  | { readonly code: 'AMBIGUOUS'; readonly candidates: readonly Located[] };

/** Geocodes addresses; the results are in the same order. `bulk`: the addresses are not from an interactive request. */
type GeocodeAddresses = (
  business: number,
  addresses: readonly Address[],
  options?: { readonly bulk?: boolean },
) => Promise<readonly (Located | NotLocated)[]>;

export type Geocode = GeocodeAddresses & {
  /** The same with datasets only. */
  readonly fromDatasets: (
    business: number,
    addresses: readonly Address[],
  ) => Promise<readonly (Located | NotLocated)[]>;
  /** The address at a position. */
  readonly reverse: (business: number, at: Degrees) => Promise<AtPosition | NotLocated>;
  /** Returns the businesses among the given ones that have a geocoding dataset. */
  readonly keepers: PlaceQueries['keepers'];
  /** Whether at least one geocoding server accepts bulk requests. */
  readonly supportsBulk: () => boolean;
};
export type AtPosition = Located & { readonly address: Address; readonly distance_m: number };

/** Minimum confidence of a result from a geocoding server. */
const MIN_CONFIDENCE = 0.7;
/**
 * Minimum likeness of two streets with the same house number, or none, in one area. `Kantstrase 12` matches
 * `Kantstraße 12`; number 13 never matches.
 */
const MIN_SIMILARITY = 0.75;
/** Results further apart than this count as different places. */
const SAME_PLACE_M = 1_000;
const MAX_CANDIDATES = 5;
/** Maximum distance between a position and the address returned for it. */
const MAX_DISTANCE_M = 200;
/** Timeout for all geocoding servers together, regardless of the number of addresses. */
const TIMEOUT_MS = 4_000;

export const isLocated = (answer: Located | NotLocated | undefined): answer is Located =>
  answer !== undefined && 'position' in answer;

export function createGeocode(
  queries: PlaceQueries,
  { geocoders = [], timeoutMs = TIMEOUT_MS }: { geocoders?: readonly Geocoder[]; timeoutMs?: number } = {},
): Geocode {
  async function fromDatasets(business: number, addresses: readonly Address[]): Promise<(Located | NotLocated)[]> {
    const keys = addresses.map(addressKey);
    const lookupKeys = keys.filter((key) => key !== null);
    const exact = await queries.places(business, lookupKeys);
    const similarPlaces = await queries.neighbours(
      business,
      addresses.filter((_address, index) => keys[index] !== null && !exact.has(keys[index]!)),
    );
    return addresses.map((address, index) => {
      const key = keys[index];
      if (key === null || key === undefined) return { code: 'NOT_FOUND' };
      const exactMatches = exact.get(key)?.filter((place) => isSameCountry(place, address)) ?? [];
      if (exactMatches.length > 0) return chooseBest(exactMatches.map((place) => toLocated(place, 1)));
      const similarMatches = (similarPlaces.get(key) ?? []).flatMap((place) => {
        const similarity = likeness(address.street!, place.street);
        return similarity >= MIN_SIMILARITY && isSameCountry(place, address) ? [toLocated(place, similarity)] : [];
      });
      return chooseBest(similarMatches.sort((a, b) => b.confidence - a.confidence));
    });
  }

  /** Asks the servers one after the other, until one returns a result with sufficient confidence. */
  async function fromGeocoders(
    addresses: readonly Address[],
    servers: readonly Geocoder[],
    signal: AbortSignal,
  ): Promise<readonly (Located | NotLocated)[]> {
    const answers: (Located | NotLocated)[] = addresses.map(() => ({ code: 'NOT_FOUND' }));
    for (const geocoder of servers) {
      const unresolved = [...answers.keys()].filter((index) => !isLocated(answers[index]));
      const found = await geocoder.find(
        unresolved.map((index) => addresses[index]!),
        signal,
      );
      unresolved.forEach((index, at) => {
        const source = { geocoder: geocoder.name };
        const confidentPlaces = found[at]?.filter(isConfident).map((place) => ({ ...place, source }));
        const answer = confidentPlaces ? chooseBest(confidentPlaces) : ({ code: 'GEOCODER_DOWN' } as const);
        // An ambiguous result or a failure is replaced only by a found position.
        const previous = answers[index]!;
        if (isLocated(answer) || isLocated(previous) || previous.code === 'NOT_FOUND') answers[index] = answer;
      });
    }
    return answers;
  }

  const geocode: GeocodeAddresses = async (business, addresses, { bulk = false } = {}) => {
    const answers = [...(await fromDatasets(business, addresses))];
    const servers = geocoders.filter(({ takesBulk }) => takesBulk || !bulk);
    const pending = [...answers.keys()].filter((index) => {
      const answer = answers[index]!;
      return !isLocated(answer) && answer.code === 'NOT_FOUND' && addresses[index]!.street !== undefined;
    });
    if (servers.length === 0 || pending.length === 0) return answers;
    const found = await fromGeocoders(
      pending.map((index) => addresses[index]!),
      servers,
      AbortSignal.timeout(timeoutMs),
    );
    pending.forEach((index, at) => (answers[index] = found[at]!));
    return answers;
  };

  async function reverse(business: number, at: Degrees): Promise<AtPosition | NotLocated> {
    const [nearest] = (await queries.nearby(business, at, MAX_DISTANCE_M))
      .map((place) => ({ place, metres: metresBetween(at, place) }))
      .filter(({ metres }) => metres <= MAX_DISTANCE_M)
      .sort((a, b) => a.metres - b.metres || a.place.record_id - b.place.record_id);
    if (nearest) {
      const { street, postal_code, city, country } = nearest.place;
      const address = { street, postal_code, city, country };
      return { ...toLocated(nearest.place, 1), address, distance_m: Math.round(nearest.metres) };
    }
    let failure: NotLocated = { code: 'NOT_FOUND' };
    const signal = AbortSignal.timeout(timeoutMs);
    for (const geocoder of geocoders)
      try {
        const found = await geocoder.at(at, signal);
        if (found)
          return {
            ...found,
            source: { geocoder: geocoder.name },
            distance_m: Math.round(metresBetween(at, found.position)),
          };
      } catch (error) {
        if (!(error instanceof GeocoderDown) && !signal.aborted) throw error;
        failure = { code: 'GEOCODER_DOWN' };
      }
    return failure;
  }

  const supportsBulk = () => geocoders.some(({ takesBulk }) => takesBulk);
  return Object.assign(geocode, { fromDatasets, reverse, keepers: queries.keepers, supportsBulk });
}

const isConfident = ({ confidence }: FoundPlace): boolean => confidence >= MIN_CONFIDENCE;

/** If both addresses have a country, it must be the same. */
const isSameCountry = (place: Place, { country }: Address): boolean =>
  !country || !place.country || place.country === country;

/** The best result; AMBIGUOUS if an equally good result is at a different place. */
function chooseBest(found: readonly Located[]): Located | NotLocated {
  const [best] = found;
  if (!best) return { code: 'NOT_FOUND' };
  const others = found.filter(
    ({ position, confidence }) =>
      confidence >= best.confidence && metresBetween(position, best.position) > SAME_PLACE_M,
  );
  return others.length === 0 ? best : { code: 'AMBIGUOUS', candidates: [best, ...others].slice(0, MAX_CANDIDATES) };
}

const toLocated = ({ record_id, latitude, longitude, ...address }: Place, confidence: number): Located => ({
  position: { latitude, longitude },
  precision: 'rooftop',
  confidence: Math.round(confidence * 100) / 100,
  matched: formatAddress(address),
  source: { geocoder: 'dataset', record_id },
});

const formatAddress = ({ street, postal_code, city, country }: Address): string =>
  [street, [postal_code, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');
