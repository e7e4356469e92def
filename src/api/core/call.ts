/** A call of an operation as an interface hands it on. */
import type { Cause, Rehearsal } from '../../commands/core/handle.js';
import type { Caller } from './callers.js';

/** What an interface knows of a call in addition to the operation and its input. */
export interface Call {
  readonly caller: Caller;
  readonly channel: Cause['channel'];
  readonly requestId: string;
  /** Id of the event or request that led to this one, where it is not the first. */
  readonly causationId?: string;
  /** Where one request holds several commands: the id of this one; absent, the request's. */
  readonly commandId?: string;
  /** Address of the client, for rate limits of callers that have no name. */
  readonly address: string;
  /** Header of the request by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The body's bytes, where the operation takes them. */
  readonly bytes?: () => Buffer;
  /** Position that the read must hold (`X-Event-Position`). */
  readonly position?: string | undefined;
  /** Told what is left of the rate limit, as headers. */
  readonly counted?: (headers: Readonly<Record<string, string>>) => void;
  readonly idempotencyKey?: string | undefined;
  /** What makes this request the same as another one with the same key. */
  readonly fingerprint: () => Buffer;
  /**
   * The command was given before, elsewhere: its id and time (milliseconds since 1970). It takes effect once, however
   * often it is given.
   */
  readonly command?: { readonly id: string; readonly time: number };
  /** A dry run: see `Cause`. */
  readonly rehearsal?: Rehearsal;
}
