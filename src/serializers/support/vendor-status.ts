/** Tables from the OTEP vocabulary to a vendor's vocabulary, and the lookup for an event. */
import { statusCode, type Code, type Phase } from '../../events/otep/codes.js';
import { StatusRule } from '../../events/otep/current-status.js';
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
 * Returns the events that a format without anomaly marks lists: the events that have occurred, up to the end of the
 * journey. A platform would show a later or a future event as the current one.
 */
export function occurredUntilEnd(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  return events.filter(({ anomaly }) => anomaly !== 'in_the_future' && anomaly !== 'after_terminal');
}

/** Returns the events that change the status (rule 2 of the protocol). Events in the future do not. */
export function statusMovers(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  const status = new StatusRule<TimelineEvent>();
  return events.filter((event) => event.anomaly !== 'in_the_future' && status.apply(event));
}
