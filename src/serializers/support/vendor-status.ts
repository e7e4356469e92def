/** Tables from the OTEP vocabulary to a vendor's, and how an event finds its row. */
import { statusCode, type Code, type Phase } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import type { Reason } from '../../events/otep/reasons.js';

/** The vendor's status for a code, and the one to use instead for each of these reasons. */
export type StatusRow<Value> = readonly [usual: Value, because?: Readonly<Partial<Record<Reason, Value>>>];

export interface StatusTable<Value> {
  readonly codes: Readonly<Record<Code, StatusRow<Value>>>;
  /** Experimental codes by the phase they were given. None of them ends a journey, so none becomes delivered. */
  readonly phases: Readonly<Record<Phase, Value>>;
  /** Experimental codes without a phase: information that moves no status. Also a journey that has no status yet. */
  readonly information: Value;
}

export function vendorStatus<Value>(table: StatusTable<Value>, event: TimelineEvent): Value {
  const registered = statusCode(event.status_code);
  if (!registered) return event.phase === undefined ? table.information : table.phases[event.phase];
  const [usual, because] = table.codes[registered.code as Code];
  const reason = event.incident_reason?.code;
  return because !== undefined && reason !== undefined && Object.hasOwn(because, reason)
    ? because[reason as Reason]!
    : usual;
}

/**
 * For every event, the one whose status holds once it has happened (rule 2 of the protocol): itself when it moves the
 * status, the last that did when it does not; undefined before the first.
 */
export function statusHolders(events: readonly TimelineEvent[]): readonly (TimelineEvent | undefined)[] {
  const movers = statusMovers(events);
  let moved = 0;
  return events.map((event) => movers[event === movers[moved] ? moved++ : moved - 1]);
}

/**
 * The events up to the end of the journey: what comes after it changes nothing, and a platform that takes the last
 * entry for the current one would show it all the same.
 */
export function untilEnd(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const last = statusMovers(events).at(-1);
  return last && statusCode(last.status_code)?.terminal != null ? events.slice(0, events.indexOf(last) + 1) : events;
}

/** The events that move the status: not information, not what lies in the future, nothing after the end. */
export function statusMovers(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const movers: TimelineEvent[] = [];
  for (const event of events) {
    if (event.phase === undefined || event.anomaly === 'in_the_future') continue;
    movers.push(event);
    if (statusCode(event.status_code)?.terminal != null) break;
  }
  return movers;
}
