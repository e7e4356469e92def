/** Tables from the OTEP vocabulary to a vendor's vocabulary, and the lookup for an event. */
import { statusCode, type Code, type Phase } from '../../events/otep/codes.js';
import type { TimelineEvent } from '../../events/otep/model.js';
import type { Reason } from '../../events/otep/reasons.js';

/** The vendor's status for a code, and the statuses that replace it for certain incident reasons. */
export type StatusRow<Value> = readonly [usual: Value, because?: Readonly<Partial<Record<Reason, Value>>>];

export interface StatusTable<Value> {
  readonly codes: Readonly<Record<Code, StatusRow<Value>>>;
  /**
   * Statuses for experimental codes by their phase. An experimental code never ends a journey, so none maps to
   * delivered.
   */
  readonly phases: Readonly<Record<Phase, Value>>;
  /**
   * Status for experimental codes without a phase, which do not change the status, and for a journey that has no status
   * yet.
   */
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
 * Returns, for every event, the event whose status is current after it (rule 2 of the protocol). This is the event
 * itself if it changes the status, or else the last earlier one that did. Undefined before the first change.
 */
export function statusHolders(events: readonly TimelineEvent[]): readonly (TimelineEvent | undefined)[] {
  const movers = statusMovers(events);
  let moved = 0;
  return events.map((event) => movers[event === movers[moved] ? moved++ : moved - 1]);
}

/**
 * Returns the events up to the end of the journey. Later events change nothing, but a platform that shows the last
 * entry as the current one would show them.
 */
export function untilEnd(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const last = statusMovers(events).at(-1);
  return last && statusCode(last.status_code)?.terminal != null ? events.slice(0, events.indexOf(last) + 1) : events;
}

/**
 * Returns the events that change the status. Events without a phase, events in the future, and events after the end do
 * not.
 */
export function statusMovers(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const movers: TimelineEvent[] = [];
  for (const event of events) {
    if (event.phase === undefined || event.anomaly === 'in_the_future') continue;
    movers.push(event);
    if (statusCode(event.status_code)?.terminal != null) break;
  }
  return movers;
}
