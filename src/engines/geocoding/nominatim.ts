/**
 * Client of a Nominatim server (API of 4.x, format jsonv2). Sends addresses in their parts. Only the configured address
 * is ever called, whatever a response contains.
 */
import { z } from 'zod';
import { requestJson, NoResponse } from '../http-request.js';
import type { Precision } from '../../events/orders/events.js';
import {
  GeocoderDown,
  type Address,
  type Degrees,
  type AddressServer,
  type FoundPlace,
  type PlaceAt,
} from './geocoder.js';

export interface NominatimOptions {
  /** `https://host`, without a trailing slash. */
  readonly url: string;
  /** Name of this service, which the usage policy of public servers requires. */
  readonly userAgent: () => string;
  readonly timeoutMs?: number;
}

/** The server of the OpenStreetMap foundation, which forbids bulk requests. */
const PUBLIC_HOST = 'nominatim.openstreetmap.org';
const MAX_PLACES = 5;
const MAX_BYTES = 256_000;
/** Zoom level of a building. */
const REVERSE_ZOOM = '18';

const degrees = (most: number) => z.coerce.number().min(-most).max(most);
const placeSchema = z.object({
  lat: degrees(90),
  lon: degrees(180),
  display_name: z.string(),
  /** 30: a house; 26: a street. */
  place_rank: z.number(),
  addresstype: z.string().optional(),
  address: z
    .object({
      house_number: z.string().optional(),
      road: z.string().optional(),
      postcode: z.string().optional(),
      city: z.string().optional(),
      town: z.string().optional(),
      village: z.string().optional(),
      country_code: z.string().optional(),
    })
    .default({}),
});
type NominatimPlace = z.infer<typeof placeSchema>;
const notFoundSchema = z.object({ error: z.string() });

/** Confidence by precision. The server reports the precision; the confidence is derived from it. */
const CONFIDENCE: Readonly<Record<Precision, number>> = { rooftop: 0.95, street: 0.75, postal_code: 0.5, city: 0.3 };
/** Factors for a house with another or no number, and for an area with another postal code. */
const OTHER_HOUSE = 0.8;
const OTHER_AREA = 0.6;

export class Nominatim implements AddressServer {
  readonly name = 'nominatim';
  constructor(private readonly options: NominatimOptions) {}

  get takesBulk(): boolean {
    return new URL(this.options.url).hostname !== PUBLIC_HOST;
  }

  async find(address: Address, signal?: AbortSignal): Promise<readonly FoundPlace[]> {
    const { street, city, postal_code, country } = address;
    const parameters = {
      ...(street !== undefined && { street }),
      ...(city !== undefined && { city }),
      ...(postal_code !== undefined && { postalcode: postal_code }),
      ...(country !== undefined && { countrycodes: country.toLowerCase() }),
      limit: String(MAX_PLACES),
    };
    const places = z
      .array(placeSchema)
      .max(MAX_PLACES)
      .safeParse(await this.request('search', parameters, signal));
    if (!places.success) throw new GeocoderDown('invalid response');
    return places.data.map((place) => toFound(place, address)).sort((a, b) => b.confidence - a.confidence);
  }

  async at({ latitude, longitude }: Degrees, signal?: AbortSignal): Promise<PlaceAt | undefined> {
    const parameters = { lat: String(latitude), lon: String(longitude), zoom: REVERSE_ZOOM };
    const json = await this.request('reverse', parameters, signal);
    if (notFoundSchema.safeParse(json).success) return undefined;
    const place = placeSchema.safeParse(json);
    if (!place.success) throw new GeocoderDown('invalid response');
    return { ...toFound(place.data, {}), address: toAddress(place.data) };
  }

  private async request(
    what: 'search' | 'reverse',
    parameters: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const { url, userAgent, timeoutMs = 2_000 } = this.options;
    const query = new URLSearchParams({ ...parameters, format: 'jsonv2', addressdetails: '1' });
    try {
      const { status, json } = await requestJson({
        url: `${url}/${what}?${query.toString()}`,
        headers: { 'user-agent': userAgent() },
        maxAttempts: 1,
        timeoutMs,
        maxBytes: MAX_BYTES,
        signal,
      });
      if (status !== 200) throw new GeocoderDown(`status ${status}`);
      return json;
    } catch (error) {
      throw error instanceof NoResponse ? new GeocoderDown(error.message, { cause: error }) : error;
    }
  }
}

function precisionOf({ place_rank, addresstype }: NominatimPlace): Precision {
  if (addresstype === 'postcode') return 'postal_code';
  if (place_rank >= 28) return 'rooftop';
  return place_rank >= 26 ? 'street' : 'city';
}

const plain = (text: string): string => text.replace(/\s/g, '').toLowerCase();

function toFound(place: NominatimPlace, { street, postal_code }: Address): FoundPlace {
  const precision = precisionOf(place);
  const { house_number, postcode } = place.address;
  const numbers = street?.match(/\d+\s?\p{L}?\b/gu)?.map(plain) ?? [];
  const isOtherHouse = precision === 'rooftop' && numbers.length > 0 && !numbers.includes(plain(house_number ?? ''));
  const isOtherArea = postal_code !== undefined && postcode !== undefined && plain(postcode) !== plain(postal_code);
  const confidence = CONFIDENCE[precision] * (isOtherHouse ? OTHER_HOUSE : 1) * (isOtherArea ? OTHER_AREA : 1);
  return {
    position: { latitude: place.lat, longitude: place.lon },
    precision: isOtherHouse ? 'street' : precision,
    confidence: Math.round(confidence * 100) / 100,
    matched: place.display_name.slice(0, 500),
  };
}

function toAddress({ address }: NominatimPlace): Address {
  const { road, house_number, postcode, city, town, village, country_code } = address;
  return {
    street: [road, house_number].filter(Boolean).join(' ') || undefined,
    postal_code: postcode,
    city: city ?? town ?? village,
    country: country_code?.toUpperCase(),
  };
}
