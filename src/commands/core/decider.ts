/** What may happen: a pure function from state and command to facts. */
import type { Fact } from '../../events/core/codec.js';
import type { JsonObject } from '../../events/core/log.js';

export interface Decision<R> {
  readonly facts: readonly Fact[];
  /** What the caller learns, in addition to the facts. */
  readonly reply: R;
}

/** An event as a decider sees it: newest version, personal members still sealed. */
export interface PastEvent {
  readonly type: string;
  readonly id: string;
  readonly data: JsonObject;
}

export interface Decider<S, C, R> {
  readonly initial: () => S;
  /**
   * Whether the command may begin a stream: then one that nobody knows is first taken for a new one. Absent: each may.
   */
  readonly begins?: (command: C) => boolean;
  /**
   * Throws a domain error when the command may not happen; no facts when it changes nothing. Time, ids and outside
   * facts come with the command.
   */
  readonly decide: (state: S, command: C) => Decision<R>;
  /**
   * Takes one event in. The state is this fold's own, like an accumulator: it may be changed and returned. Total:
   * unknown events are ignored.
   */
  readonly evolve: (state: S, event: PastEvent) => S;
  /**
   * The part of the stream that an event changes, where the stream holds several things with a version each; undefined:
   * none of them. Absent: the stream is one thing.
   */
  readonly partOf?: (event: Omit<PastEvent, 'id'>) => string | undefined;
}
