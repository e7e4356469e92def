/**
 * Timers that events set and clear: a stream gets a command when a time has come, even if no process was running at
 * that time.
 */

/** A stream has at most one timer per name. Setting it again replaces it; clearing a missing timer has no effect. */
export type TimerChange =
  /** `at`: RFC 3339. */
  { readonly set: { readonly name: string; readonly at: string } } | { readonly clear: string };

/** The timer changes of an event; undefined: none. */
export type Timers<T> = (data: T) => TimerChange | readonly TimerChange[] | undefined;

export interface DueTimer {
  readonly stream: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Sent to a stream at least once when its timer is due. The decider evaluates deadlines by the time of the command that
 * meets them. If such a command came first, nothing is appended.
 */
export interface Expire extends DueTimer {
  readonly do: 'expire';
  /** Derived from stream, name and time: a repeated command takes effect once. */
  readonly commandId: string;
  /** Time of sending, in milliseconds since 1970. */
  readonly now: number;
}
