/** What a tracking's past decides about a scan that cannot speak for itself alone. Pure. */
import { codeRow, IN_HAND, statusCode } from '../../events/otep/codes.js';
import type { Instant } from '../../events/otep/time.js';
import { phaseOf } from '../../events/otep/timeline.js';
import type { RecordedScan } from '../../events/trackings/events.js';

/** As much of a recorded scan as later ones are judged by. */
export interface SeenScan {
  readonly eventId: string;
  readonly instant: Instant;
  readonly status: string;
  /** Has a phase: it moves the status, an experimental code without one is information only. */
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
 * The scan that says already what a source of statuses says at that time: the latest one until then, or the one that
 * the current status comes from (rule 2: the latest, except that the first terminal one ends the journey). Undefined
 * where the status changes.
 */
export function saying(
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
