/**
 * The port of the event log: what every engine that holds events can do. One contract suite (test/contract) runs on all
 * of them.
 */

/** Number of an event in its stream, from 0. */
export type Revision = number;

/** Opaque, totally ordered as a string; the start of the log is `''`. Positions of two engines never meet. */
export type Position = string;
export const START: Position = '';

/**
 * What the writer knows of the stream: its last revision, or that it has no event. Exact, so that a retry is
 * recognised.
 */
export type Expected = Revision | 'no-stream';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface NewEvent {
  /** UUID. Derived (v5) for idempotent commands and scans, so that a retry appends nothing twice. */
  readonly id: string;
  readonly type: string;
  /** Version of the data's schema, for upcasters. */
  readonly version: number;
  /** Its data, an object, written out once and for all: a log need not look into it. */
  readonly json: string;
  /** `$correlationId`, `$causationId`, actor, recorded_at (RFC 3339, UTC, milliseconds: the service's clock), ... */
  readonly metadata: JsonObject;
}

export interface StoredEvent extends Omit<NewEvent, 'json'> {
  readonly data: JsonObject;
  /** The data's JSON, where the engine has it at hand: who keeps data as it is need not write it out again. */
  readonly json?: string;
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/** The JSON of a stored event's data. */
export const jsonOf = (event: Pick<StoredEvent, 'data' | 'json'>): string => event.json ?? JSON.stringify(event.data);

/** What names an event for good: its place in its stream. */
export type EventName = Pick<StoredEvent, 'stream' | 'revision'>;

export interface StreamAppend {
  readonly stream: string;
  /** At least one. */
  readonly events: readonly NewEvent[];
  readonly expected: Expected;
}

/**
 * `appended`: durable. When the same event ids were already at the expected place the answer is the original one, and
 * `repeated`: the events of another attempt, whose metadata may differ. (EventStoreDB cannot tell of two attempts at
 * the very same moment.) `conflict`: nothing of this stream was written, `actual` is its last revision (-1: no event).
 */
export type AppendOutcome =
  | { readonly outcome: 'appended'; readonly revision: Revision; readonly position: Position; readonly repeated?: true }
  | { readonly outcome: 'conflict'; readonly actual: number };

export interface Batch {
  readonly events: readonly StoredEvent[];
  /**
   * Everything up to here has been delivered (or filtered out): the checkpoint to store. Advances on idle batches too.
   */
  readonly position: Position;
  /** Nothing came after this batch when it was read. */
  readonly caughtUp: boolean;
}

export interface SubscribeOptions {
  /** Only streams that begin with one of these; absent: all. */
  readonly prefixes?: readonly string[];
  /** Most events in a batch. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /**
   * It need not learn at once that there is something for it, but where somebody waits for it: it wakes less often, and
   * finds more at once.
   */
  readonly patient?: boolean;
  /** Whether somebody waits for this reader now. Absent: nobody ever does. */
  readonly isAwaited?: () => boolean;
}

export interface EventLog {
  /**
   * Appends to many streams, each on its own: one outcome per entry, in order; a stream may occur in the list once.
   * Throws when the engine cannot be reached or says that it is overloaded (`LogUnavailable`): the writer does not know
   * what happened, and a retry with the same ids is safe.
   */
  append(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]>;
  /** Events of one stream from a revision on, oldest first; nothing for a stream that does not exist. */
  read(stream: string, from?: Revision): AsyncIterable<StoredEvent>;
  /**
   * Single events wherever they are, in the order they are named in; what does not exist is left out. At most some
   * hundreds at once.
   */
  pick(events: readonly EventName[]): Promise<readonly StoredEvent[]>;
  /** Whole streams at once; a stream without events is absent from the map. */
  readMany(streams: readonly string[]): Promise<ReadonlyMap<string, readonly StoredEvent[]>>;
  /**
   * Batches after `from` (exclusive), for ever, in log order: no committed event is skipped or repeated, whatever
   * writers do (G2).
   */
  subscribe(from: Position, options: SubscribeOptions): AsyncIterable<Batch>;
  /** Somebody waits: readers that are awaited, and that others' events pass by, move their position now. */
  hurry(): void;
  /** The position of the last event that a reader may see now; START for an empty log. */
  head(): Promise<Position>;
  /**
   * Whether `position` has the form of this engine's positions: what a client sends back must be checked before use.
   */
  isPosition(position: string): boolean;
  close(): Promise<void>;
}

/** The log's engine did not answer, or not in time. The outcome of an append is unknown. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/** One append holds more than the engine takes at once; nothing was written. */
export class AppendTooLarge extends Error {
  override readonly name = 'AppendTooLarge';
  constructor(
    readonly stream: string,
    /** Both in bytes. */
    readonly size: number,
    readonly limit: number,
  ) {
    super(`The append to ${stream} has ${size} bytes; at most ${limit} are taken at once.`);
  }
}
