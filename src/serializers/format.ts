/** What a format is: one pure function from a journey to a JSON value, and what a reader must know about it. */
import type { Language } from '../events/core/languages.js';
import type { Journey } from '../events/otep/model.js';

/**
 * The order that a parcel belongs to, as its reader may read it: what was erased is absent. It has neither items nor
 * prices.
 */
export interface ParcelOrder {
  readonly id: number;
  /** The shop's own reference. */
  readonly order_ref: string | null;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly updated_at: string;
  /** Carrier that holds it; null: the business delivers itself. */
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
  /** Public address of the service, without a trailing slash: for formats whose links must be absolute. */
  readonly baseUrl: string;
  /** Of free text; absent: English. */
  readonly language?: Language;
  /** Of formats that tell orders (`tellsOrder`); absent where there is none, or none that the reader may read. */
  readonly order?: ParcelOrder | undefined;
}

export interface Representation {
  readonly mediaType: string;
  /** Same journey and context, same value; the value's member order is the order of the bytes. */
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
  /** What of a native timeline does not survive in it; an empty list means nothing. */
  readonly lost: readonly string[];
  /** It has free text that a reader sees: `Accept-Language` chooses its language. */
  readonly hasText?: boolean;
  /** Its document is the order: it is completed from the parcel's, for who may read that. */
  readonly tellsOrder?: boolean;
  /** Only the events, for `GET .../events`; absent where the format has no list of its own. */
  readonly events?: (journey: Journey, context: SerializeContext) => unknown;
  /** What of a document has an address of its own (`entity`); undefined where it has no such part. */
  readonly part?: (document: unknown, asked: string) => unknown;
  /** Other media types of the same format, chosen by `Accept`. */
  readonly variants?: readonly Representation[];
}
