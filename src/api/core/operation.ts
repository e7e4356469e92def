/**
 * One definition per operation. The REST route, the entry in the OpenAPI document, and every other interface are
 * derived from it. Only invoke.ts checks who may call an operation, not the interfaces.
 */
import { z } from 'zod';
import type { CodeWithRowInMessages } from '../../commands/core/domain-error.js';
import type { Cause } from '../../commands/core/handle.js';
import type { Position } from '../../events/core/log.js';
import type { Caller, CallerKind } from './callers.js';
import type { Example } from './example.js';
import type { ErrorCode } from './errors.js';
import type { Family } from '../../events/pricing/families.js';
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
  /** When the command was first issued, in milliseconds since 1970; the same for a retry. */
  readonly time: number;
  /** Address of the client. */
  readonly address: string;
  /** Header of the request by lower-case name; empty for other interfaces. */
  readonly header: (name: string) => string | undefined;
  /** The bytes of the body, if the operation takes bytes. */
  readonly bytes?: Buffer;
  /** A write calls it with the position of its last event; of several calls the latest position counts. */
  readonly wrote: (position: Position | undefined) => void;
  /**
   * New integer ids; a retry with the same Idempotency-Key gets the same ids. At most one call per sequence and
   * request.
   */
  readonly reserveIds: (sequence: Sequence, count: number) => Promise<readonly number[]>;
}

/** A response whose bytes and media type the operation determines. Its validators answer conditional requests. */
export interface Representation {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Both or neither: content that is not stored has no validators. `lastModified` is RFC 3339. */
  readonly etag?: string;
  readonly lastModified?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A response that is too long for memory. It is written as fast as the client reads it. Only REST supports such
 * responses.
 */
export interface Streamed {
  /**
   * Pieces of UTF-8 text. A failure of the first piece becomes a normal error response; a later failure closes the
   * connection.
   */
  readonly pieces: AsyncIterable<string>;
  readonly mediaType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** URI of the error type in a problem document, by code and status. */
export type ProblemType = (code: ErrorCode, status: number) => string;

/** A name that the specification fixes and that does not follow the style of the API: see fixed-names.ts. */
export interface FixedName {
  readonly name: string;
  readonly method: Operation['rest']['method'];
  /** Path below /api, as in `Operation.rest`. */
  readonly path: string;
  /** The specification fixes only the address: GraphQL has no second field for it. */
  readonly restOnly?: boolean;
}

/** The read whose response a write includes: see returned.ts. */
export interface Returns {
  /** Name of the operation that reads the resource. */
  readonly read: string;
  /** The caller may be unable to see the resource after the write; the response then omits it. */
  readonly mayBeHidden?: boolean;
  /**
   * Input of the read. Absent: members with the same names, from the write's result or else from its input. Members of
   * the result that are not in `output` are used only for the read.
   */
  readonly input?: (input: never, result: never) => Readonly<Record<string, unknown>>;
}

/** A reference of a resource to another one: see relations.ts. */
export interface Relation {
  /** Of the member that is added to `by`, which has the id, or several where there are `many`. */
  readonly name: string;
  readonly by: string;
  readonly many: boolean;
  readonly target: Target;
}

/** The read of a resource by its id alone: the members of its input and of its response. */
export interface Target {
  readonly read: Operation;
  readonly id: string;
  readonly member: string;
  readonly schema: z.core.$ZodType;
}

/** Version control of the resource that an operation reads or changes: see versions.ts. */
export interface Versioned {
  /** The stream whose last revision is the version; undefined: there is none. */
  readonly stream: (
    input: Readonly<Record<string, unknown>>,
    caller: Caller,
  ) => string | undefined | Promise<string | undefined>;
  /** The part of the stream that counts, if it holds several resources (`Decider.partOf`); absent: the whole stream. */
  readonly part?: (input: Readonly<Record<string, unknown>>) => string;
  /** Code of the error for a change that expects another version. */
  readonly code: CodeWithRowInMessages;
}

export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** camelCase; also the operationId. */
  readonly name: string;
  /** Area of the specification. The API documents group by it: see tags.ts. */
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly rest: {
    readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
    /**
     * Path below /api, with `:name` for members of the input, and `*name` for a last member that spans several
     * segments.
     */
    readonly path: string;
    /** Member of the input that is the whole body; absent: the members of the body are members of the input. */
    readonly body?: string;
    /** Members that come from the query although the method has a body. */
    readonly query?: readonly string[];
    /**
     * The body is bytes, not JSON: see `Context.bytes`. The value is its maximum size in bytes. All members of the
     * input come from the query or the form.
     */
    readonly bytes?: number;
    /** The bytes are those that arrived, also of a form: for bodies with a signature. Too large: BODY_TOO_LARGE. */
    readonly raw?: boolean;
    /**
     * Checks the query of an upload before its body is read. Returns the maximum size in bytes, if the query determines
     * one. Throws the errors that the operation would throw.
     */
    readonly beforeUpload?: (query: Readonly<Record<string, unknown>>, caller: Caller) => number | undefined;
    /** Media types of the body; absent: application/json. */
    readonly consumes?: readonly string[];
    /** HTTP status of success; absent: 200. */
    readonly status?: 200 | 201 | 202;
    /** Response headers that are derived from the result. */
    readonly headers?: (result: never) => Readonly<Record<string, string>>;
    /** Additional response headers of an OPTIONS request to the path. */
    readonly announces?: Readonly<Record<string, string>>;
    /**
     * `type` of a problem document, for paths of a standard that defines its own error types; absent: the page of the
     * service.
     */
    readonly problemType?: ProblemType;
    /** Media type of a response that is not JSON. */
    readonly produces?: string;
  };
  readonly callers: readonly CallerKind[];
  /** Scopes that a user's token must have in addition to the role, all of them; otherwise 403. */
  readonly scopes?: readonly Scope[];
  /** Requires a token from a sign-in: a leaked API key must not create additional keys or take over the account. */
  readonly loginOnly?: boolean;
  /** The response contains a credential and is never compressed. */
  readonly returnsCredential?: boolean;
  /** Module that must be enabled for the caller's business; otherwise 403. */
  readonly module?: Module;
  /** Possible damage if the wrong agent calls the operation (specification 3); absent: low. */
  readonly risk?: 'low' | 'medium' | 'high';
  /**
   * The operation pays an order of this family. A customer whose prices of the family are hidden gets 403 before any
   * other check, so the response reveals nothing about the order.
   */
  readonly pays?: Family;
  /** An agent must pass `confirm=true`. */
  readonly confirm?: boolean;
  /**
   * Whether a call with this input only prepares a proposal for the caller, such as a route plan that is not committed.
   * Such a call needs neither `confirm` nor approval. `input` is validated.
   */
  readonly isPreview?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** Projections that it reads. A caller that sends a position waits for these. */
  readonly reads?: readonly ReadModelName[];
  /**
   * Projections that it changes through its events. The response waits for these (G6). Absent on a write: the response
   * does not wait, and the caller uses the returned position.
   */
  readonly awaits?: readonly ReadModelName[];
  /**
   * Name and address in the specification, if they do not follow the style of the API. The operation is served under
   * both.
   */
  readonly fixed?: FixedName;
  /** For an operation under a fixed name: the name of the canonical operation. */
  readonly canonical?: string;
  /** Interfaces other than REST omit it: they offer the canonical operation. */
  readonly restOnly?: boolean;
  /** The request or response contains bytes or is `Streamed`: interfaces other than REST omit the operation. */
  readonly streams?: boolean;
  /**
   * Maximum number of seconds for which a caller may ask the operation to wait for long work. The time limit of the
   * response is extended by this.
   */
  readonly waits?: number;
  /** Number of parts of the input that count against the rate limit like separate requests; absent: 1. */
  units?(input: z.infer<I>): number;
  /**
   * A retry with the same Idempotency-Key runs the command again, which changes nothing, and reads the resource again:
   * the caller may have lost access to the data of the first response.
   */
  readonly readsAgain?: boolean;
  /** A write: it counts against the stricter rate limit and accepts Idempotency-Key. */
  readonly writes?: boolean;
  /** The rate limit that counts a read whose work or storage is like that of a write. */
  readonly limitedAs?: 'write';
  readonly input: I;
  /** Members with a dedicated error (422) if they are absent or empty; other missing members: INVALID_INPUT (400). */
  readonly missing?: Readonly<Record<string, ErrorCode>>;
  readonly output: O;
  /** Schema of the body in the API documents, if `input` accepts more or loses the name of the schema. */
  readonly documented?: z.ZodType;
  /** Example of the request for the API documents; defined in the area's examples. */
  readonly example?: Example;
  /**
   * The operation reads a resource that has a `version`, or changes one. A change is rejected unless the resource has
   * the version `if_version` (REST: the header If-Match).
   */
  readonly versioned?: Versioned;
  /** Additional statuses that it returns, with their meanings, for the API documents. */
  readonly answers?: Readonly<Record<number, string>>;
  /** For a write: the read of the changed resource, whose response is added to the response of the write. */
  readonly returns?: Returns;
  /** For a read: relations of its resource to other resources; set by relations.ts. */
  readonly relations?: readonly Relation[];
  readonly run: (input: z.infer<I>, context: Context) => Promise<z.infer<O> | Representation | Streamed>;
  /** Derived from `returns`: members of the output that a dry run omits. */
  readonly returned?: readonly string[];
  /**
   * Derived from `returns`: completes the result once the awaited read models have caught up. Not called in a dry run.
   */
  readonly after?: (
    input: Readonly<Record<string, unknown>>,
    result: Readonly<Record<string, unknown>>,
    context: Context,
  ) => Promise<unknown>;
}

export interface OperationResult<R = unknown> {
  readonly result: R;
  /** Position of the write; undefined for a read, and if nothing changed. */
  readonly position: Position | undefined;
}

export const isRepresentation = (value: unknown): value is Representation =>
  typeof value === 'object' && value !== null && 'body' in value && Buffer.isBuffer(value.body);

export const isStreamed = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && 'pieces' in value && 'mediaType' in value;

/** Member of the input of a change: the `version` of the resource that the caller has read. */
export const IF_VERSION = 'if_version';
const ifVersion = z
  .int()
  .min(-1)
  .max(2_147_483_647)
  .optional()
  .describe(
    '`version` of the resource that the caller has read. The change is rejected if the resource has another version.',
  );

/**
 * Preserves the types of input and output. Unknown members of the input are rejected, not ignored: their sender expects
 * them to have an effect.
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
