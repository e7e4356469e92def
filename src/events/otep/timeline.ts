/**
 * Derives the native timeline from recorded scans: order, current status, anomalies (rules 1 to 3 of the protocol).
 * Pure functions.
 */
import { createHash } from 'node:crypto';
import { codeRow, isPhase, phaseId, statusCode, statusId, type Phase } from './codes.js';
import { StatusRule, terminalStatusOf, type Effect } from './current-status.js';
import { OTEP_VERSION, PROFILE, type Anomaly, type Subject, type Timeline, type TimelineEvent } from './model.js';
import type { Instant } from './time.js';

/** One recorded scan: the producer's event, without members that are derived from other events. */
export interface Scan {
  readonly instant: Instant;
  /**
   * The event without derived members: no status_id, phase_id or anomaly. `phase` only for an experimental code that
   * was sent with one.
   */
  readonly event: Omit<TimelineEvent, 'status_id' | 'phase_id' | 'anomaly'>;
}

/** The phase of a code in the registry, or the given phase for an experimental code. */
export function phaseOf(code: string, given?: string): Phase | undefined {
  return statusCode(code)?.phase ?? (given !== undefined && isPhase(given) ? given : undefined);
}

/**
 * Rule 1: by instant, then by the row of the code table, then by a hash of the event without its subject. The order of
 * arrival has no effect.
 */
export function compareScans({ instant, event }: Scan, other: Scan): number {
  if (instant !== other.instant) return instant < other.instant ? -1 : 1;
  const { event_id, status_code } = event;
  return compareKeys(
    { instant, event_id, status_code },
    { instant, event_id: other.event.event_id, status_code: other.event.status_code },
  );
}

/** The members that determine the order of events: every view and every format contains them. */
export interface SortKey {
  readonly instant: Instant;
  readonly event_id: string;
  readonly status_code: string;
}

/** Rule 1 for sort keys; see `compareScans`. */
export function compareKeys(a: SortKey, b: SortKey): number {
  if (a.instant !== b.instant) return a.instant < b.instant ? -1 : 1;
  const rows = codeRow(a.status_code) - codeRow(b.status_code);
  if (rows !== 0) return rows;
  const [left, right] = [tieHash(a), tieHash(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const tieHash = ({ instant, event_id, status_code }: SortKey): string =>
  createHash('sha256')
    .update(JSON.stringify([event_id, instant, status_code]))
    .digest('hex');

/**
 * The timeline of `scans` (in any order, without retracted ones) at `now`. A future event is included with an anomaly,
 * and changes the status only when its time has come.
 */
export function deriveTimeline(subject: Subject, scans: readonly Scan[], now: Instant): Timeline {
  const ordered = [...scans].sort(compareScans);
  const creation = ordered.find((scan) => scan.event.status_code === 'information_submitted')?.instant;
  const status = new StatusRule<Effect>();
  const events = ordered.map((scan) => {
    const effect = effectOf(scan);
    const anomaly = anomalyOf(scan, effect, status.hasEnded, creation, now);
    if (anomaly !== 'in_the_future') status.apply(effect);
    return present(scan, anomaly);
  });
  const terminal_status = status.holder ? terminalStatusOf(status.holder) : null;
  return {
    otep_version: OTEP_VERSION,
    profile: PROFILE,
    subject,
    current_status: status.holder?.status_code ?? null,
    current_phase: status.holder?.phase ?? null,
    terminal_status,
    delivered: terminal_status === 'delivered',
    events,
  };
}

const effectOf = ({ event: { status_code, phase } }: Scan): Effect => ({
  status_code,
  phase: phaseOf(status_code, phase),
});

function anomalyOf(
  { instant }: Scan,
  { phase }: Effect,
  hasEnded: boolean,
  creation: Instant | undefined,
  now: Instant,
): Anomaly | undefined {
  if (instant > now) return 'in_the_future';
  if (hasEnded) return 'after_terminal';
  if (creation !== undefined && instant < creation && phase !== undefined && phase !== 'pre_shipment')
    return 'before_creation';
  return undefined;
}

function present({ event }: Scan, anomaly: Anomaly | undefined): TimelineEvent {
  const phase = phaseOf(event.status_code, event.phase);
  const { otep_version, event_id, occurred_at, recorded_at, status_code, phase: _given, ...rest } = event;
  return {
    otep_version,
    event_id,
    occurred_at,
    ...(recorded_at !== undefined && { recorded_at }),
    status_code,
    status_id: statusId(PROFILE, status_code),
    ...(phase !== undefined && { phase, phase_id: phaseId(phase) }),
    ...rest,
    ...(anomaly !== undefined && { anomaly }),
  };
}
