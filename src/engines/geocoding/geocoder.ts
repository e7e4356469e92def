/** The port to servers that know where addresses are, and what is at a position. */
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

/** A place that may be meant. */
export interface FoundPlace {
  readonly position: Degrees;
  readonly precision: Precision;
  /** 0 to 1. */
  readonly confidence: number;
  /** The address as the source writes it. */
  readonly matched: string;
}

/** A server, as its protocol has it. */
export interface AddressServer {
  /** As it is named in what it found. */
  readonly name: string;
  /** Whether it may be asked for what nobody waits for: lists of addresses, orders as they come. */
  readonly takesBulk: boolean;
  /** Places that may be meant, the best first; none: it knows no such address. Throws GeocoderDown. */
  find(address: Address, signal?: AbortSignal): Promise<readonly FoundPlace[]>;
  /** What is at a position; undefined: nothing near. Throws GeocoderDown. */
  at(position: Degrees, signal?: AbortSignal): Promise<PlaceAt | undefined>;
}
export type PlaceAt = FoundPlace & { readonly address: Address };

/** A server that is asked with manners. */
export interface Geocoder extends Pick<AddressServer, 'name' | 'takesBulk' | 'at'> {
  /** For each address places that may be meant; undefined: there was no answer while the signal let it be asked. */
  find(addresses: readonly Address[], signal: AbortSignal): Promise<readonly (readonly FoundPlace[] | undefined)[]>;
  /** Forgets all answers. */
  forget(): Promise<void>;
  /** Forgets old answers. */
  sweep(): Promise<void>;
}

/** It does not answer, or is not asked because it did not. */
export class GeocoderDown extends Error {
  override readonly name = 'GeocoderDown';
}
