/** The port for calls to external systems that must take effect once (docs/effects.md). */

/**
 * How the external system prevents a second action:
 *
 * - `object`: `act` applies to an object that `reserve` created, and succeeds once per object.
 * - `key`: the external system stores an idempotency key.
 * - `lookup`: the adapter finds the result of an earlier call before it acts again.
 * - `none`: there is no protection. An unknown result is never repeated automatically.
 */
export type Dedupe = 'object' | 'key' | 'lookup' | 'none';

export interface Done<Result> {
  readonly is: 'done';
  readonly result: Result;
}

/** The external system did not act. */
export interface NotDone {
  readonly is: 'not_done';
  readonly code: string;
  readonly text?: string | undefined;
  /** The external system will refuse the same request again. */
  readonly final: boolean;
}

/** The external system may have acted. `cause`: a short code without data of the request or response. */
export interface Unknown {
  readonly is: 'unknown';
  readonly cause: string;
}

export type Outcome<Result> = Done<Result> | NotDone | Unknown;

/** The result of an action: the area's schema of the result (`EffectSteps.result`). */
export type EffectResult = Readonly<Record<string, unknown>>;

/** The account of a business at the external system. */
export interface AccountCall {
  readonly business: number;
  readonly account: string;
  /** Idempotency key: the same for all calls of one effect. */
  readonly key: string;
  /** Aborts when the time of the call is over. */
  readonly signal: AbortSignal;
}

export interface ReserveCall<Request> extends AccountCall {
  readonly request: Request;
}

export interface LookCall<Request = unknown> extends AccountCall {
  /** The reserved object; undefined: the adapter reserves none. */
  readonly remoteId: string | undefined;
  /** Absent: its personal data was erased. */
  readonly request?: Request | undefined;
}

export interface ActCall<Request> extends LookCall<Request> {
  readonly request: Request;
}

/** An exception counts as an unknown result. */
export interface Adapter<Request = unknown> {
  readonly name: string;
  readonly dedupe: Dedupe;
  /** Creates a free object to act on. Required for dedupe `object`. An unused object is harmless. */
  reserve?(call: ReserveCall<Request>): Promise<Outcome<{ readonly remoteId: string }>>;
  act(call: ActCall<Request>): Promise<Outcome<EffectResult>>;
  /** Finds the result of an earlier call, and changes nothing. */
  look(call: LookCall<Request>): Promise<Outcome<EffectResult>>;
}
