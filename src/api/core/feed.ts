/**
 * Feeds of live events. The REST stream (server-sent events) and the GraphQL subscription are derived from one
 * definition per feed. A feed reports that a resource changed and how; it never reveals more than the resource itself.
 */
import type { z } from 'zod';
import type { Caller } from './callers.js';
import type { Operation } from './operation.js';

export interface FeedEvent<T = unknown> {
  /** The id from which a client continues after it lost its connection. */
  readonly cursor: string;
  readonly event: string;
  readonly data: T;
}

export interface SubscribeCall {
  readonly caller: Caller;
  /** Aborting it ends the feed. */
  readonly signal: AbortSignal;
}

export interface FeedSubscription<T = unknown> {
  /** Start of the feed: all later events are sent. */
  readonly cursor: string;
  /**
   * Batches of events that are sent together. Recipients with the same content get the same array, so that it is
   * serialized only once.
   */
  readonly events: AsyncIterable<readonly FeedEvent<T>[]>;
}

export interface Feed<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> extends Pick<
  Operation,
  'name' | 'area' | 'summary' | 'description' | 'callers' | 'scopes' | 'module'
> {
  /**
   * Path below /api, with `:name` for members of the input. The same path may also have a JSON response: `Accept`
   * decides.
   */
  readonly path: string;
  /** If the input has the member `after`, its value may also come from `Last-Event-ID`. */
  readonly input: I;
  readonly output: O;
  /** Throws the errors of an operation before the first event. */
  readonly subscribe: (input: z.infer<I>, call: SubscribeCall) => Promise<FeedSubscription<z.infer<O>>>;
}

/** Preserves the types of input and output. */
export const feed = <I extends z.ZodObject, O extends z.ZodType>(definition: Feed<I, O>): Feed =>
  ({ ...definition, input: definition.input.strict() }) as unknown as Feed;
