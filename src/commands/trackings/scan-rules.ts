/** Rules for scans that depend on the tracking's past. Pure. */
import { codeRow, IN_HAND, statusCode } from '../../events/otep/codes.js';
import type { Instant } from '../../events/otep/time.js';
import { phaseOf } from '../../events/otep/timeline.js';
import type { RecordedScan } from '../../events/trackings/events.js';

/** The members of a recorded scan that are needed to judge later scans. */
export interface SeenScan {
  readonly eventId: string;
  readonly instant: Instant;
  readonly status: string;
  /** The scan has a phase, so it changes the status. A custom code without a phase is only informational. */
  readonly moves: boolean;
}

export const seen = ({
  event_id,
  instant,
  status_code,
  phase,
}: Pick<RecordedScan, 'event_id' | 'instant' | 'status_code' | 'phase'>): SeenScan => ({
  eventId: event_id,
  instant,
  status: status_code,
  moves: phaseOf(status_code, phase) !== undefined,
});

/** Whether the carrier had the parcel before `instant`. */
export function wasInHand(scans: Iterable<SeenScan>, instant: Instant): boolean {
  for (const scan of scans) if (scan.instant < instant && IN_HAND.has(scan.status)) return true;
  return false;
}

/**
 * Finds a scan that already reports the same status at that time. This is the latest scan until then, or the scan that
 * determines the current status. By rule 2 that is the latest scan, or the first terminal one, which ends the journey.
 * Undefined if the status changes.
 */
export function scanWithSameStatus(
  { status_code, instant }: { readonly status_code: string; readonly instant: Instant },
  scans: Iterable<SeenScan>,
): SeenScan | undefined {
  const past = [...scans].filter((scan) => scan.instant <= instant).sort(byTime);
  const moving = past.filter(({ moves }) => moves);
  const current = moving.find(({ status }) => statusCode(status)?.terminal) ?? moving.at(-1);
  return [past.at(-1), current].find((scan) => scan?.status === status_code);
}

const byTime = (a: SeenScan, b: SeenScan): number =>
  a.instant === b.instant
    ? codeRow(a.status) - codeRow(b.status) || (a.eventId < b.eventId ? -1 : 1)
    : a.instant < b.instant
      ? -1
      : 1;
