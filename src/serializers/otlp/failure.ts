/** Decides whether a span has failed. By the semantic conventions the span status stays unset otherwise. */
import type { Timeline, TimelineEvent } from '../../events/otep/model.js';

/**
 * Statuses that are decisions and not failures: a new appointment or a cancellation. The other exceptions are failures.
 */
const DECISIONS: ReadonlySet<string> = new Set(['pickup_rescheduled', 'delivery_rescheduled', 'cancelled']);
const LOSSES: ReadonlySet<string> = new Set(['damaged', 'lost']);
const FAILED_ENDS: ReadonlySet<string> = new Set(['returned', 'rejected']);

/**
 * Returns `error.type` for the span of a failed event: the incident reason, or else the status. Loss and damage are
 * failures with any status.
 */
export function eventFailure({ phase, status_code, incident_reason }: TimelineEvent): string | undefined {
  const failed = (phase === 'exception' && !DECISIONS.has(status_code)) || LOSSES.has(incident_reason?.code ?? '');
  return failed ? (incident_reason?.code ?? status_code) : undefined;
}

/**
 * Returns the failure of a journey that ended as returned or rejected instead of delivered; a cancellation is not a
 * failure.
 */
export const journeyFailure = ({ terminal_status }: Timeline): string | undefined =>
  terminal_status !== null && FAILED_ENDS.has(terminal_status) ? terminal_status : undefined;
