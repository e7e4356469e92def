/** Deadlines that events set and clear: what is to happen to a stream when a time has come, whether or not anything runs. */

/** A stream has at most one timer of a name: to set it again replaces it, to clear what is not set changes nothing. */
export type TimerChange =
  /** `at`: RFC 3339. */
  { readonly set: { readonly name: string; readonly at: string } } | { readonly clear: string };

/** The changes that an event's data means; none: it has nothing to do with timers. */
export type Timers<T> = (data: T) => TimerChange | readonly TimerChange[] | undefined;

export interface DueTimer {
  readonly stream: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sent to a stream when a timer of it has come, once or more often. The decider has the last word: deadlines count by
 * the time of the command that meets them, so what was settled meanwhile leads to no event.
 */
export interface Expire extends DueTimer {
  readonly do: 'expire';
  /** Follows from stream, name and time: what is sent twice takes effect once. */
  readonly commandId: string;
  /** When it is sent, milliseconds since 1970. */
  readonly now: number;
}
