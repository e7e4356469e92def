/**
 * The owner that a number identifies, if several owners have scanned it (rule N6 of the protocol). Pure.
 *
 * The order of the log decides, because the time of arrival is the only time that a stranger cannot choose. The holder
 * keeps the number while its parcel is alive. After that, the number passes to the next owner that begins a life. A late
 * scan of an earlier life never takes it back.
 */
import { terminalStatusOf } from '../../events/otep/current-status.js';
import { isAlive, livesOf, NEW_START_AFTER_MS, REUSE_AFTER_MS } from '../../events/otep/lives.js';
import { millisOf } from '../../events/otep/time.js';
import { compareKeys } from '../../events/otep/timeline.js';
import { effectiveOf } from './lives.js';
import type { StoredScan, TrackingRow } from './row.js';

/** The trackings of one owner that the number identifies. */
export interface Claim {
  readonly rows: readonly TrackingRow[];
  /** Position in the log since which the number identifies them. */
  readonly since: string;
  /** Time of that event: RFC 3339, UTC. */
  readonly since_at: string;
}

/**
 * Maximum number of scans of one owner that are examined as the beginning of a life. A provider that reports a scan every
 * two months for centuries must not slow down reads of its number.
 */
const MAX_BEGINNINGS = 100;

/** `claims`: at least one. */
export function holderOf<C extends Claim>(claims: readonly C[]): C {
  const beginnings = claims
    .flatMap((claim) =>
      beginningsOf(claim).map((scan) => ({
        claim,
        scan,
        at: scan.position > claim.since ? scan.position : claim.since,
        time: Math.max(Date.parse(scan.recorded_at), Date.parse(claim.since_at)),
      })),
    )
    .sort((a, b) => compare(a.at, b.at) || compare(a.scan.position, b.scan.position));
  let holder = beginnings[0]?.claim;
  for (const { claim, at, time } of beginnings)
    if (holder && claim !== holder && !isHeld(holder, at, time)) holder = claim;
  return holder ?? claims.toSorted((a, b) => compare(a.since, b.since))[0]!;
}

/** The scans that were the only one of their life when they were recorded, in the order of the log. */
function beginningsOf({ rows }: Claim): StoredScan[] {
  const scans = rows.flatMap((row) => row.scans).sort((a, b) => compare(a.position, b.position));
  const times = new SortedTimes();
  const ends: number[] = [];
  let examined = 0;
  return scans.filter((scan, index) => {
    const at = millisOf(scan.instant);
    const before = times.latestUntil(at);
    times.add(at);
    // Only a scan after a gap, or after the end of a life, can begin a new one. The lives decide exactly.
    const mayBegin =
      before === undefined ||
      at - before > NEW_START_AFTER_MS ||
      ends.some((end) => at - end > REUSE_AFTER_MS && before - end <= REUSE_AFTER_MS);
    if (terminalStatusOf(scan) !== null) ends.push(at);
    if (index === 0) return true;
    if (!mayBegin || ++examined > MAX_BEGINNINGS) return false;
    return livesUntil(rows, scan.position, true).find((life) => life.includes(scan))?.length === 1;
  });
}

/** Times in milliseconds, sorted. */
class SortedTimes {
  readonly #times: number[] = [];

  /** The latest time that is not after `time`. */
  latestUntil(time: number): number | undefined {
    return this.#times[this.#countUntil(time) - 1];
  }

  add(time: number): void {
    this.#times.splice(this.#countUntil(time), 0, time);
  }

  #countUntil(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether the latest life of the number was alive for the log as it was at `position`, at the time `now`. */
function isHeld({ rows }: Claim, position: string, now: number): boolean {
  const life = livesUntil(rows, position).at(-1);
  return life !== undefined && isAlive(life, now);
}

/** The lives of the scans before `position`, without the scans whose retraction was recorded before it. */
function livesUntil(rows: readonly TrackingRow[], position: string, inclusive = false): StoredScan[][] {
  const isBefore = (one: { readonly position: string }) =>
    one.position < position || (inclusive && one.position === position);
  const before = rows.flatMap(({ retractions }) => retractions).filter(isBefore);
  const isRetracted = ({ event_id, provider }: StoredScan) =>
    effectiveOf(before.filter((one) => one.retracts === event_id && one.provider === provider)) !== undefined;
  const scans = rows
    .flatMap((row) => row.scans)
    .filter((scan) => isBefore(scan) && !(before.length > 0 && isRetracted(scan)))
    .sort(compareKeys);
  return livesOf(scans);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
