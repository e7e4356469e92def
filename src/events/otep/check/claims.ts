/** Checks whether the claims of a document (current status, anomalies) follow from its events. */
import { bareCode } from '../codes.js';
import { PROFILE, type Subject } from '../model.js';
import type { Instant } from '../time.js';
import { deriveTimeline } from '../timeline.js';
import type { ScanEntry } from './entries.js';
import type { Claims } from './envelope.js';
import { report, type Findings } from './findings.js';
import { agree } from './status.js';

/**
 * The time at which a document is evaluated. If a document marks events as lying in the future, it was written before
 * their time. It must stay valid when it is checked later. The result is therefore the time of the last event without
 * that mark, but never later than `now`.
 */
export function momentOf(ordered: readonly ScanEntry[], now: Instant): Instant {
  const last = ordered.findLast(({ event }) => event.anomaly !== 'in_the_future')?.scan.instant ?? '';
  return last < now ? last : now;
}

/**
 * Compares the claims with the timeline derived from the events (in the order of rule 1) at `asOf`. Absent claims are
 * not checked.
 */
export function checkClaims(
  claims: Claims,
  ordered: readonly ScanEntry[],
  subject: Subject,
  asOf: Instant,
  out: Findings,
): void {
  const derived = deriveTimeline(
    subject,
    ordered.map(({ scan }) => scan),
    asOf,
  );
  const { current_status: status } = claims;
  if (status !== undefined)
    agree(status === null ? null : bareCode(PROFILE, status), derived.current_status, '/current_status', out);
  for (const key of ['current_phase', 'terminal_status', 'delivered'] as const) {
    if (claims[key] !== undefined) agree(claims[key], derived[key], `/${key}`, out);
  }
  ordered.forEach(({ event, path }, index) => {
    if (event.anomaly === undefined) return;
    const anomaly = derived.events[index]?.anomaly;
    if (anomaly === undefined) report(out, 'ANOMALY_UNFOUNDED', `${path}/anomaly`, { anomaly: event.anomaly });
    else agree(event.anomaly, anomaly, `${path}/anomaly`, out);
  });
}
