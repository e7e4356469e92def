/**
 * The port of the event log, which every log engine implements. One contract suite (test/contract) runs against all
 * engines.
 */

/** Number of an event in its stream, from 0. */
export type Revision = number;

/**
 * Opaque, totally ordered as a string; the start of the log is `''`. Positions of different engines cannot be compared.
 */
export type Position = string;
export const START: Position = '';

/**
 * The expected state of the stream: its last revision, or no events. It must match exactly, so that a retry is
 * recognized.
 */
export type Expected = Revision | 'no-stream';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface EncodedEvent {
  /** UUID. Derived (v5) for idempotent commands and scans, so that a retry does not append twice. */
  readonly id: string;
  readonly type: string;
  /** Version of the data schema, for upcasters. */
  readonly version: number;
  /** The data, an object, as JSON text. A log does not need to parse it. */
  readonly json: string;
  /** `$correlationId`, `$causationId`, actor, recorded_at (RFC 3339, UTC, milliseconds: the service's clock), ... */
  readonly metadata: JsonObject;
}

export interface StoredEvent extends Omit<EncodedEvent, 'json'> {
  readonly data: JsonObject;
  /** The JSON of the data, if the engine has it: code that only stores the data need not serialize it again. */
  readonly json?: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/** The JSON of a stored event's data. */
export const jsonOf = (event: Pick<StoredEvent, 'data' | 'json'>): string => event.json ?? JSON.stringify(event.data);

/** Identifies an event permanently: its stream and revision. */
export type EventName = Pick<StoredEvent, 'stream' | 'revision'>;

export interface StreamAppend {
  readonly stream: string;
  /** At least one. */
  readonly events: readonly EncodedEvent[];
  readonly expected: Expected;
}

/**
 * The outcome of an append:
 * - `appended`: the events are durable.
 * - `repeated`: the same event ids already existed at the expected revision. The outcome is the original one. The
 *   stored events are those of the other attempt, whose metadata may differ. EventStoreDB cannot detect this for two
 *   simultaneous attempts.
 * - `conflict`: no event of this stream was written. `actual` is its last revision (-1: no event).
 */
export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly revision: Revision; readonly position: Position; readonly repeated?: true }
  | { readonly outcome: 'conflict'; readonly actual: number };

export interface Batch {
  readonly events: readonly StoredEvent[];
  /**
   * The checkpoint to store: all events up to here were delivered or filtered out. It also advances in batches without
   * events.
   */
  readonly position: Position;
  /** Whether no more events existed when this batch was read. */
  readonly caughtUp: boolean;
}

export interface SubscribeOptions {
  /** Only streams with one of these prefixes; absent: all. */
  readonly prefixes?: readonly string[];
  /** Maximum number of events in a batch. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /**
   * The subscriber need not be notified of events immediately, except while a request waits for it. It then wakes less
   * often and gets more events per batch.
   */
  readonly background?: boolean;
  /** Whether a request waits for this subscriber now. Absent: never. */
  readonly isAwaited?: () => boolean;
}

export interface EventLog {
  /**
   * Appends to several streams, each independently. Returns one outcome per entry, in order. A stream may occur in the
   * list once. Throws `LogUnavailable` if the engine cannot be reached or is overloaded. The result is then unknown,
   * and a retry with the same ids is safe.
   */
  append(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]>;
  /** Events of one stream from a revision on, oldest first; empty if the stream does not exist. */
  read(stream: string, from?: Revision): AsyncIterable<StoredEvent>;
  /**
   * Single events of any streams, in the requested order; missing events are omitted. At most a few hundred per call.
   */
  pick(events: readonly EventName[]): Promise<readonly StoredEvent[]>;
  /** Several complete streams; a stream without events is absent from the map. */
  readMany(streams: readonly string[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>>;
  /**
   * Batches after `from` (exclusive), without end, in log order. No committed event is skipped or repeated, whatever
   * concurrent writers do (G2).
   */
  subscribe(from: Position, options: SubscribeOptions): AsyncIterable<Batch>;
  /**
   * A request waits: subscribers that it waits for, and that have only skipped events of other areas, advance their
   * position now.
   */
  wakeAwaited(): void;
  /** The position of the last event that is visible to readers; START for an empty log. */
  head(): Promise<Position>;
  /**
   * Whether `position` has the format of this engine's positions: positions from clients must be checked before use.
   */
  isPosition(position: string): boolean;
  close(): Promise<void>;
}

/** The engine of the log did not respond in time. The outcome of an append is unknown. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/** An append is larger than the engine's limit. Nothing was written. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(
    readonly stream: string,
    /** Sizes in bytes. */
    readonly size: number,
    readonly limit: number,
  ) {
    super(`The append to ${stream} has ${size} bytes; the maximum is ${limit}.`);
  }
}
