/** The definition of a format: a pure function from a journey to a JSON value, and its metadata. */
import type { Language } from '../events/core/languages.js';
import type { Journey, TimelineEvent } from '../events/otep/model.js';

/**
 * The order that a parcel belongs to, as the reader is allowed to see it. Erased data is absent. Items and prices are
 * not included.
 */
export interface ParcelOrder {
  readonly id: number;
  /** The events of each parcel of the order, in the order of its packages, without personal data. */
  readonly parcels: readonly (readonly TimelineEvent[])[];
  /** The shop's own reference. */
  readonly order_ref: string | null;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  /** Carrier that delivers the order; null if the business delivers it. */
  readonly third_party: string | null;
  readonly delivery: Recipient | null;
  readonly delivery_instruction: string | null;
  readonly packages: readonly {
    readonly tracking_number: string;
    readonly description?: string | undefined;
    readonly weight_kg?: number | undefined;
  }[];
}

export type Recipient = {
  readonly [
    Member in
      'name' | 'company' | 'phone' | 'email' | 'street' | 'street_2' | 'city' | 'region' | 'postal_code' | 'country'
  ]?: string | undefined;
};

export interface SerializeContext {
  /** Public address of the service, without a trailing slash, for formats that need absolute links. */
  readonly baseUrl: string;
  /** Language of free text; English if absent. */
  readonly language?: Language;
  /** Only for formats with `includesOrder`; absent if there is no order or the reader may not see it. */
  readonly order?: ParcelOrder | undefined;
}

export interface Representation {
  readonly mediaType: string;
  /**
   * Deterministic: the same journey and context give the same value. The member order determines the order of the
   * bytes.
   */
  readonly serialize: (journey: Journey, context: SerializeContext) => unknown;
  /** Extra response headers that the standard asks for. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Format extends Representation {
  /** Value of the query parameter `format`, and of the media type parameter `profile`. */
  readonly name: string;
  /** The standard or vendor document it follows, with the version that is pinned. */
  readonly standard: string;
  readonly version: string;
  /** Raise it when the bytes of an unchanged journey change: it is part of the ETag. */
  readonly revision: number;
  readonly direction: 'out' | 'in and out';
  /** Content of a native timeline that the format cannot represent; empty if it represents everything. */
  readonly lost: readonly string[];
  /** The format contains free text for readers; `Accept-Language` selects the language. */
  readonly hasText?: boolean;
  /** The document is an order: data of the parcel's order completes it, if the reader may see that order. */
  readonly includesOrder?: boolean;
  /** Returns only the events, for `GET .../events`; absent if the format has no event list. */
  readonly events?: (journey: Journey, context: SerializeContext) => unknown;
  /** Returns the part of a document that has its own address (`entity`); undefined if there is no such part. */
  readonly part?: (document: unknown, entityId: string) => unknown;
  /** Other media types of the same format, selected by `Accept`. */
  readonly variants?: readonly Representation[];
}
