/**
 * The lives of a number: a carrier reuses a tracking number after some months, so the scans of one number may belong to
 * several parcels, one after the other (rules N1 and N2 of the protocol). Pure.
 */
import { isPastPickup, terminalStatusOf } from './current-status.js';
import { DAY_MS, millisOf, type Instant } from './time.js';
import { phaseOf } from './timeline.js';

/** The members of a scan that determine its life. */
export interface LifeScan {
  readonly instant: Instant;
  readonly status_code: string;
  readonly phase?: string | undefined;
  /** The instant in milliseconds since 1970, if it is already known. */
  readonly millis?: number;
}

/** Time after which any further scan belongs to another parcel. */
export const REUSE_AFTER_MS = 120 * DAY_MS;
/** Time after which a new label or a new pick-up of a parcel that was under way belongs to another parcel. */
export const NEW_START_AFTER_MS = 30 * DAY_MS;

/**
 * Divides the scans of one number into lives, oldest first. `ordered`: all scans of one owner, in the order of rule 1.
 * The order of arrival and the grouping into pushes have no effect.
 */
export function livesOf<S extends LifeScan>(ordered: readonly S[]): S[][] {
  const lives: S[][] = [];
  let life: Progress | undefined;
  for (const scan of ordered) {
    if (!life || startsLife(scan, life)) {
      life = { previous: 0, end: undefined, isPastPickup: false };
      lives.push([]);
    }
    lives.at(-1)!.push(scan);
    proceed(life, scan);
  }
  return lives;
}

/** The part of a life that decides whether the next scan belongs to it. Times are in milliseconds since 1970. */
interface Progress {
  previous: number;
  /** Time of the first terminal scan. */
  end: number | undefined;
  isPastPickup: boolean;
}

function startsLife(scan: LifeScan, { previous, end, isPastPickup }: Progress): boolean {
  const at = timeOf(scan);
  const gap = Math.max(at - previous, end === undefined ? 0 : at - end);
  if (gap > REUSE_AFTER_MS) return true;
  const phase = phaseOf(scan.status_code, scan.phase);
  return isPastPickup && (phase === 'pre_shipment' || phase === 'pickup') && gap > NEW_START_AFTER_MS;
}

function proceed(life: Progress, scan: LifeScan): void {
  const at = timeOf(scan);
  life.previous = at;
  if (terminalStatusOf(scan) !== null) life.end ??= at;
  life.isPastPickup ||= isPastPickup({ ...scan, phase: phaseOf(scan.status_code, scan.phase) });
}

const timeOf = ({ millis, instant }: LifeScan): number => millis ?? millisOf(instant);

/**
 * Whether a number may still identify the parcel of `life` at `now`: the parcel has no terminal scan until now, or one
 * within the last 120 days; and it has a scan within that time, or one that is announced for the next day.
 */
export function isAlive(life: readonly LifeScan[], now: number): boolean {
  const end = life.find((scan) => terminalStatusOf(scan) !== null);
  const last = life.at(-1);
  return last !== undefined && now - timeOf(last) <= REUSE_AFTER_MS && (!end || now - timeOf(end) <= REUSE_AFTER_MS);
}
