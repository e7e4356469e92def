/**
 * When a span says that something failed: the rule of the semantic conventions is to leave the status unset otherwise.
 */
import type { Timeline, TimelineEvent } from '../../events/otep/model.js';

/**
 * A new appointment and a cancellation are decisions that went as they were meant; the other exceptions are failures.
 */
const DECISIONS: ReadonlySet<string> = new Set(['pickup_rescheduled', 'delivery_rescheduled', 'cancelled']);
const LOSSES: ReadonlySet<string> = new Set(['damaged', 'lost']);
const FAILED_ENDS: ReadonlySet<string> = new Set(['returned', 'rejected']);

/**
 * `error.type` of an event's span, when it failed: the incident reason, else the status. Loss and damage are failures
 * at any status.
 */
export function eventFailure({ phase, status_code, incident_reason }: TimelineEvent): string | undefined {
  const failed = (phase === 'exception' && !DECISIONS.has(status_code)) || LOSSES.has(incident_reason?.code ?? '');
  return failed ? (incident_reason?.code ?? status_code) : undefined;
}

/** The journey failed when it ended elsewhere than at the recipient against the sender's will. */
export const journeyFailure = ({ terminal_status }: Timeline): string | undefined =>
  terminal_status !== null && FAILED_ENDS.has(terminal_status) ? terminal_status : undefined;
