/**
 * One definition per operation: its REST route and its entry in the OpenAPI document are derived from it, and so is
 * every other interface. Who may call it is checked in one place (invoke.ts), not in the views.
 */
import { z } from 'zod';
import type { CodeWithRowInMessages } from '../../commands/core/domain-error.js';
import type { Cause } from '../../commands/core/handle.js';
import type { Position } from '../../events/core/log.js';
import type { Caller, CallerKind } from './callers.js';
import type { Example } from './example.js';
import type { ErrorCode } from './errors.js';
import type { Module } from '../../events/businesses/events.js';
import { withBoundCursor } from './cursors.js';
import { pageInput } from './pages.js';
import type { Scope } from './scopes.js';
import type { ReadModelName } from '../../projections/core/projection.js';
import type { Sequence } from '../../projections/core/sequence.js';

export interface Context {
  readonly caller: Caller;
  readonly cause: Cause;
  /** UUID of the command: the same for a retry with the same Idempotency-Key. */
  readonly commandId: string;
  /** When the command was first given, in milliseconds since 1970; the same for a retry. */
  readonly time: number;
  /** Where the request came from. */
  readonly address: string;
  /** Header of the request by lower-case name; empty for other interfaces. */
  readonly header: (name: string) => string | undefined;
  /** The body, where the operation takes bytes. */
  readonly bytes?: Buffer;
  /** Called by a write with the position it led to; of several the latest counts. */
  readonly wrote: (position: Position | undefined) => void;
  /**
   * Fresh integer ids; a retry with the same Idempotency-Key gets the same ones. At most one call per sequence and
   * request.
   */
  readonly reserveIds: (sequence: Sequence, count: number) => Promise<readonly number[]>;
}

/**
 * An answer whose bytes and media type the operation itself decides; conditional requests are answered by its
 * validators.
 */
export interface Representation {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Both or neither: what was never stored has no validators. `lastModified` is RFC 3339. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An answer that is too long to be held in memory: it is written as fast as its reader takes it. Only REST has such
 * answers.
 */
export interface Streamed {
  /**
   * Pieces of UTF-8 text. What goes wrong with the first one is an error like any other; later the answer breaks off.
   */
  readonly pieces: AsyncIterable<string>;
  readonly mediaType: string;
}

/** Name of an error in a problem document, by its code and status. */
export type ProblemType = (code: ErrorCode, status: number) => string;

/** Where the specification departs from the style of the API: see fixed-names.ts. */
export interface FixedName {
  readonly name: string;
  readonly method: Operation['rest']['method'];
  /** Below /api, as in `Operation.rest`. */
  readonly path: string;
  /** The specification fixes the address alone: GraphQL has no second field for it. */
  readonly restOnly?: boolean;
}

/** The read whose response a write gives: see returned.ts. */
export interface Returns {
  /** Name of the operation that reads the resource. */
  readonly read: string;
  /** The caller may be unable to see the resource after the write: it is then absent from the response. */
  readonly mayBeHidden?: boolean;
  /**
   * Input of the read; absent: its members of the same names from the write's result, or else from its input. Members
   * of the result that are not in `output` are for the read alone.
   */
  readonly input?: (input: never, result: never) => Readonly<Record<string, unknown>>;
}

/** The version of what an operation reads or changes: see versions.ts. */
export interface Versioned {
  /** The stream whose last revision is the version; undefined: there is none. */
  readonly stream: (
    input: Readonly<Record<string, unknown>>,
    caller: Caller,
  ) => string | undefined | Promise<string | undefined>;
  /** The part of the stream that counts, where it holds several things (`Decider.partOf`); absent: all of it. */
  readonly part?: (input: Readonly<Record<string, unknown>>) => string;
  /** Of the refusal of a change that is meant for another version. */
  readonly code: CodeWithRowInMessages;
}

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** camelCase; also the operationId. */
  readonly name: string;
  /** Area of the specification. The document groups by it: see tags.ts. */
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly rest: {
    readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
    /**
     * Below /api, with `:name` for members of the input, and `*name` for one that spans several segments at the end.
     */
    readonly path: string;
    /** Member of the input that is the whole body; absent: a body's members are members of the input. */
    readonly body?: string;
    /** Members that come by query although the method has a body. */
    readonly query?: readonly string[];
    /** The body is bytes, not JSON, at most this many: `Context.bytes`. All members of the input are query or form. */
    readonly bytes?: number;
    /** Media types of the body; absent: application/json. */
    readonly consumes?: readonly string[];
    /** Of a good answer; absent: 200. */
    readonly status?: 200 | 201 | 202;
    /** Response headers that follow from the result. */
    readonly headers?: (result: never) => Readonly<Record<string, string>>;
    /** What an OPTIONS request to the path gets in addition to the methods. */
    readonly announces?: Readonly<Record<string, string>>;
    /** `type` of a problem document where the standard that the path follows has names of its own; absent: our page. */
    readonly problemType?: ProblemType;
    /** Media type of an answer that is not JSON. */
    readonly produces?: string;
  };
  readonly callers: readonly CallerKind[];
  /** What a user's token must hold in addition to the role, all of them; a user without them gets 403. */
  readonly scopes?: readonly Scope[];
  /** Only for who signed in: a key that leaks must not make further keys, nor take the account over. */
  readonly loginOnly?: boolean;
  /** The response contains a credential, and is never compressed. */
  readonly returnsCredential?: boolean;
  /** What must be switched on for the caller's business; else 403. */
  readonly module?: Module;
  /** What can go wrong when the wrong agent calls it (specification 3); absent: low. */
  readonly risk?: 'low' | 'medium' | 'high';
  /** An agent must say `confirm=true`. */
  readonly confirm?: boolean;
  /** Projections that it reads: a caller that brings a position waits for these. */
  readonly reads?: readonly ReadModelName[];
  /**
   * Projections that it writes through its events: the answer waits for these (G6); absent on a write: nobody waits,
   * the position tells.
   */
  readonly awaits?: readonly ReadModelName[];
  /** Its name and address by the specification, where these depart from the style of the API: it has both. */
  readonly fixed?: FixedName;
  /** Of what is served under a fixed name: the operation that it is. */
  readonly canonical?: string;
  /** Interfaces other than REST leave it out: they have the canonical operation. */
  readonly restOnly?: boolean;
  /** Takes or answers what JSON cannot hold, or `Streamed`: interfaces other than REST leave the operation out. */
  readonly streams?: boolean;
  /** Seconds that a caller may ask it to wait for the end of long work: the answer may come later by as much. */
  readonly waits?: number;
  /** A write: counted by the stricter rate limit, and takes Idempotency-Key. */
  readonly writes?: boolean;
  readonly input: I;
  /**
   * Members that are answered with an error of their own (422) where they are absent or empty; others: INVALID_INPUT
   * (400).
   */
  readonly missing?: Readonly<Record<string, ErrorCode>>;
  readonly output: O;
  /** The schema of a body that the operation checks itself: for the documents. */
  readonly documented?: z.ZodType;
  /** Of its request: for the documents; given by the area's examples. */
  readonly example?: Example;
  /**
   * A read whose resource has a `version`, or a change that is refused where the resource has another version than
   * `if_version` (REST: the header If-Match).
   */
  readonly versioned?: Versioned;
  /** Further statuses that it answers, with what they mean: for the documents. */
  readonly answers?: Readonly<Record<number, string>>;
  /** Of a write: the read of what it changed, whose answer is added to its own. */
  readonly returns?: Returns;
  readonly run: (input: z.infer<I>, context: Context) => Promise<z.infer<O> | Representation | Streamed>;
  /** Made of `returns`: members of the output that a dry run has not. */
  readonly returned?: readonly string[];
  /** Made of `returns`: completes the result once the awaited read models have caught up. Not called in a dry run. */
  readonly after?: (
    input: Readonly<Record<string, unknown>>,
    result: Readonly<Record<string, unknown>>,
    context: Context,
  ) => Promise<unknown>;
}

export interface Answered<R = unknown> {
  readonly result: R;
  /** Where the write led; undefined for a read, and where nothing changed. */
  readonly position: Position | undefined;
}

export const isRepresentation = (value: unknown): value is Representation =>
  typeof value === 'object' && value !== null && 'body' in value && Buffer.isBuffer(value.body);

export const isStreamed = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && 'pieces' in value && 'mediaType' in value;

/** Member of the input of a change: `version` of the resource that it is meant for. */
export const IF_VERSION = 'if_version';
const ifVersion = z
  .int()
  .min(-1)
  .max(2_147_483_647)
  .optional()
  .describe('`version` of the resource that was read: a change is refused where it has another one.');

/**
 * Keeps the types of input and output together. A member that the input does not know is refused, never dropped: who
 * sends it expects it to count.
 */
export const operation = <I extends z.ZodObject, O extends z.ZodType>(definition: Operation<I, O>): Operation =>
  ({
    ...definition,
    input: (definition.versioned && definition.writes
      ? definition.input.extend({ [IF_VERSION]: ifVersion })
      : definition.input
    ).strict(),
    ...(definition.input.shape['cursor'] === pageInput.cursor && {
      run: withBoundCursor(definition.name, definition.run),
    }),
  }) as unknown as Operation;
