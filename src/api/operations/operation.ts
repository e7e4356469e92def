/**
 * One definition per operation: its REST route and its entry in the OpenAPI document are derived from it, and so is every other
 * interface. Who may call it is checked here, in one place, not in the views.
 */
import type { z } from 'zod';
import type { Cause } from '../../commands/handle.js';
import type { Position } from '../../events/log.js';
import type { Caller, CallerKind } from '../callers.js';

export interface Context {
  readonly caller: Caller;
  readonly cause: Cause;
  /** UUID of the command: the same for a retry with the same Idempotency-Key. */
  readonly commandId: string;
  /** When the command was first given, in milliseconds since 1970; the same for a retry. */
  readonly time: number;
  /** Header of the request by lower-case name; empty for other interfaces. */
  readonly header: (name: string) => string | undefined;
  /** Called by a write with the position it led to. */
  readonly wrote: (position: Position | undefined) => void;
}

/** An answer whose bytes and media type the operation itself decides; conditional requests are answered by its validators. */
export interface Representation {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Both or neither: what was never stored has no validators. `lastModified` is RFC 3339. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** camelCase; also the operationId. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly rest: {
    readonly method: 'get' | 'post' | 'put' | 'delete';
    /** Below /api, with `:name` for members of the input. */
    readonly path: string;
    /** Member of the input that is the whole body; absent: a body's members are members of the input. */
    readonly body?: string;
    /** Members that come by query although the method has a body. */
    readonly query?: readonly string[];
    /** Media types of the body; absent: application/json. */
    readonly consumes?: readonly string[];
    /** Of a good answer; absent: 200. */
    readonly status?: 200 | 202;
    /** Response headers that follow from the result. */
    readonly headers?: (result: never) => Readonly<Record<string, string>>;
    /** What an OPTIONS request to the path is told beside the methods. */
    readonly announces?: Readonly<Record<string, string>>;
    /** Query parameters that the operation does not know are refused instead of passed over. */
    readonly strictQuery?: boolean;
  };
  readonly callers: readonly CallerKind[];
  /** Who may call it beyond that; the answer to a caller without them is 403. */
  readonly scopes?: readonly string[];
  /** Projections that it reads: a caller that brings a position waits for these. */
  readonly reads?: readonly string[];
  /** Projections that it writes through its events: the answer waits for these (G6); absent on a write: nobody waits, the position tells. */
  readonly awaits?: readonly string[];
  /** A write: counted by the stricter rate limit, and takes Idempotency-Key. */
  readonly writes?: boolean;
  readonly input: I;
  readonly output: O;
  /** The schema of a body that the operation checks itself: for the documents. */
  readonly documented?: z.ZodType;
  /** Further statuses that it answers, with what they mean: for the documents. */
  readonly answers?: Readonly<Record<number, string>>;
  readonly run: (input: z.infer<I>, context: Context) => Promise<z.infer<O> | Representation>;
}

export const isRepresentation = (value: unknown): value is Representation => typeof value === 'object' && value !== null && 'body' in value && Buffer.isBuffer(value.body);

/** Keeps the types of input and output together. */
export const operation = <I extends z.ZodObject, O extends z.ZodType>(definition: Operation<I, O>): Operation => definition as unknown as Operation;
