/** What a format is: one pure function from a journey to a JSON value, and what a reader must know about it. */
import type { Language } from '../events/core/languages.js';
import type { Journey } from '../events/otep/model.js';

export interface SerializeContext {
  /** Public address of the service, without a trailing slash: for formats whose links must be absolute. */
  readonly baseUrl: string;
  /** Of free text; absent: English. */
  readonly language?: Language;
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
  /** Only the events, for `GET .../events`; absent where the format has no list of its own. */
  readonly events?: (journey: Journey, context: SerializeContext) => unknown;
  /** What of a document has an address of its own (`entity`); undefined where it has no such part. */
  readonly part?: (document: unknown, asked: string) => unknown;
  /** Other media types of the same format, chosen by `Accept`. */
  readonly variants?: readonly Representation[];
}
