/**
 * Events that are sent as they happen. One definition per feed: its REST stream (server-sent events) and its GraphQL
 * subscription are derived from it. Feeds say that something changed and what, never more than the resource shows.
 */
import type { z } from 'zod';
import type { Caller } from './callers.js';
import type { Operation } from './operation.js';

export interface Told<T = unknown> {
  /** The id from which a client that lost its connection continues. */
  readonly cursor: string;
  readonly event: string;
  readonly data: T;
}

export interface FollowCall {
  readonly caller: Caller;
  /** Ends the feed. */
  readonly signal: AbortSignal;
}

export interface Followed<T = unknown> {
  /** Where the feed begins: everything after it is sent. */
  readonly cursor: string;
  /** What came at the same moment is told together. Those who are told the same get the same array: it is said once. */
  readonly events: AsyncIterable<readonly Told<T>[]>;
}

export interface Feed<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> extends Pick<
  Operation,
  'name' | 'area' | 'summary' | 'description' | 'callers' | 'scopes' | 'module'
> {
  /** Below /api, with `:name` for members of the input. A path may have a JSON answer as well: `Accept` decides. */
  readonly path: string;
  /** The member `after`, where there is one, is also taken from `Last-Event-ID`. */
  readonly input: I;
  readonly output: O;
  /** Throws before the first event what an operation would throw. */
  readonly follow: (input: z.infer<I>, call: FollowCall) => Promise<Followed<z.infer<O>>>;
}

/** Keeps the types of input and output together. */
export const feed = <I extends z.ZodObject, O extends z.ZodType>(definition: Feed<I, O>): Feed =>
  ({ ...definition, input: definition.input.strict() }) as unknown as Feed;
