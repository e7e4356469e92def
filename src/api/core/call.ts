/** A call of an operation, as an interface (REST, GraphQL, MCP, ...) passes it to `invoke`. */
import type { Cause, DryRun } from '../../commands/core/handle.js';
import type { Caller } from './callers.js';

/** The data of a call in addition to the operation and its input. */
export interface Call {
  readonly caller: Caller;
  readonly channel: Cause['channel'];
  readonly requestId: string;
  /** Id of the event or request that caused this call; absent if there is none. */
  readonly causationId?: string;
  /** Id of this command if one request contains several commands; absent: the id of the request. */
  readonly commandId?: string;
  /** Address of the client, for rate limits of anonymous callers. */
  readonly address: string;
  /** Header of the request by lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Returns the bytes of the body if the operation takes them. */
  readonly bytes?: () => Buffer;
  /** Position that the read models must have reached before the read (`X-Event-Position`). */
  readonly position?: string | undefined;
  /** Receives the remaining rate limit as response headers. */
  readonly counted?: (headers: Readonly<Record<string, string>>) => void;
  readonly idempotencyKey?: string | undefined;
  /** Identifies the content of the request: two requests with the same key and the same fingerprint are equal. */
  readonly fingerprint: () => Buffer;
  /**
   * Id and time (milliseconds since 1970) of a command that was issued elsewhere before. The command takes effect only
   * once, however often it is submitted.
   */
  readonly command?: { readonly id: string; readonly time: number };
  /** Set for a dry run: see `Cause`. */
  readonly dryRun?: DryRun;
}
