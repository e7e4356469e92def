/** A decider: a pure function from state and command to new events. */
import type { Fact } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';

export interface Decision<R> {
  readonly facts: readonly Fact[];
  /** Returned to the caller in addition to the events. */
  readonly reply: R;
}

/** An event as a decider receives it: in the newest version, with personal data still encrypted. */
export interface PastEvent {
  readonly type: string;
  readonly id: string;
  readonly data: JsonObject;
  /** Time at which the event was recorded: RFC 3339, UTC. Absent for an event that is only being decided. */
  readonly recordedAt?: string;
}

/** The event as deciders receive it. `data`: decoded. */
export const pastOf = ({ type, id, metadata }: StoredEvent, data: JsonObject): PastEvent => ({
  type,
  id,
  data,
  recordedAt: metadata['recorded_at'] as string,
});

export interface Decider<S, C, R> {
  readonly initial: () => S;
  /**
   * Whether the command may begin a stream. If so, the handler first treats a stream that is not in its cache as new.
   * Absent: every command may.
   */
  readonly begins?: (command: C) => boolean;
  /**
   * Throws a domain error if the command is not allowed. Returns no events if it changes nothing. The command carries
   * the time, ids and external data.
   */
  readonly decide: (state: S, command: C) => Decision<R>;
  /**
   * Applies one event. The state belongs to this fold, like an accumulator: it may be changed and returned. Unknown
   * events are ignored, and the function never throws.
   */
  readonly evolve: (state: S, event: PastEvent) => S;
  /**
   * The part of the stream that an event changes, where the stream holds several things with a version each; undefined:
   * none of them. Absent: the stream is one thing.
   */
  readonly partOf?: (event: Omit<PastEvent, 'id'>) => string | undefined;
}
