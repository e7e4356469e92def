/** Whether what a document says of its journey (current status, anomalies) follows from its events. */
import { bareCode } from '../codes.js';
import { PROFILE, type Subject } from '../model.js';
import type { Instant } from '../time.js';
import { deriveTimeline } from '../timeline.js';
import type { ScanEntry } from './entries.js';
import type { Claims } from './envelope.js';
import { report, type Findings } from './findings.js';
import { agree } from './status.js';

/**
 * The moment that a document speaks of. One that marks events as lying in the future was written before their time
 * came, and stays right when it is checked later. So it is the moment of the last event that is not so marked, and
 * never later than `now`.
 */
export function momentOf(ordered: readonly ScanEntry[], now: Instant): Instant {
  const last = ordered.findLast(({ event }) => event.anomaly !== 'in_the_future')?.scan.instant ?? '';
  return last < now ? last : now;
}

/**
 * Compares the claims with the timeline of the events (in the order of rule 1) at `asOf`; what a document does not say
 * is no fault.
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
