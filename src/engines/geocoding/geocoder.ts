/** The port for geocoding servers: address to position, and position to address. */
import type { Precision } from '../../events/orders/events.js';

export interface Address {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly postal_code?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

/** WGS 84 degrees. */
export interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

/** A candidate place for an address. */
export interface FoundPlace {
  readonly position: Degrees;
  readonly precision: Precision;
  /** 0 to 1. */
  readonly confidence: number;
  /** The address as the source writes it. */
  readonly matched: string;
}

/** A geocoding server, called through its protocol. */
export interface AddressServer {
  /** Name of the server, as stored with its results. */
  readonly name: string;
  /** Whether background requests are allowed: lists of addresses, and orders as they arrive. */
  readonly takesBulk: boolean;
  /** Candidates, best first; empty if the server does not know the address. Throws GeocoderDown. */
  find(address: Address, signal?: AbortSignal): Promise<readonly FoundPlace[]>;
  /** The place at a position; undefined if there is none nearby. Throws GeocoderDown. */
  at(position: Degrees, signal?: AbortSignal): Promise<PlaceAt | undefined>;
}
export type PlaceAt = FoundPlace & { readonly address: Address };

/** A geocoding server with rate limit, cache and back-off. */
export interface Geocoder extends Pick<AddressServer, 'name' | 'takesBulk' | 'at'> {
  /**
   * Returns the candidates for each address. Undefined for an address without a valid response: the server failed, the
   * signal aborted, or requests are paused.
   */
  find(addresses: readonly Address[], signal: AbortSignal): Promise<readonly (readonly FoundPlace[] | undefined)[]>;
  /** Deletes all cached responses. */
  forget(): Promise<void>;
  /** Deletes old cached responses. */
  sweep(): Promise<void>;
}

/** The server does not respond, or is not called because it failed before. */
export class GeocoderDown extends Error {
  override readonly name = 'GeocoderDown';
}
