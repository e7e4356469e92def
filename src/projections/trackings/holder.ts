/**
 * The owner that a number identifies, if several owners have scanned it (rule N6 of the protocol). Pure.
 *
 * The order of the log decides, because the time of arrival is the only time that a stranger cannot choose. The holder
 * keeps the number while its parcel is alive. After that, the number passes to the next owner that begins a life. A late
 * scan of an earlier life never takes it back.
 */
import { codeRow } from '../../events/otep/codes.js';
import { terminalStatusOf } from '../../events/otep/current-status.js';
import { isAlive, livesOf, NEW_START_AFTER_MS, REUSE_AFTER_MS } from '../../events/otep/lives.js';
import { millisOf } from '../../events/otep/time.js';
import { effectiveOf } from './lives.js';
import type { StoredRetraction, StoredScan, TrackingRow } from './row.js';

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
    .flatMap((claim) => {
      const history = new History(claim.rows);
      return history
        .beginnings()
        .map((scan) => ({
          claim,
          history,
          scan,
          at: scan.position > claim.since ? scan.position : claim.since,
          time: Math.max(Date.parse(scan.recorded_at), Date.parse(claim.since_at)),
        }));
    })
    .sort((a, b) => compare(a.at, b.at) || compare(a.scan.position, b.scan.position));
  let holder = beginnings[0];
  for (const next of beginnings)
    if (holder && next.claim !== holder.claim && !holder.history.isHeld(next.at, next.time)) holder = next;
  return holder?.claim ?? claims.toSorted((a, b) => compare(a.since, b.since))[0]!;
}

type TimedScan = StoredScan & { readonly millis: number };

/** The scans of one owner for a number, as they were recorded step by step. */
class History {
  /** By time. Ties do not matter, because scans of one instant belong to one life. */
  readonly #byTime: readonly TimedScan[];
  readonly #retractions = new Map<string, StoredRetraction[]>();

  constructor(rows: readonly TrackingRow[]) {
    this.#byTime = rows
      .flatMap(({ scans }) => scans)
      .map((scan) => ({ ...scan, millis: millisOf(scan.instant) }))
      .sort((a, b) => a.millis - b.millis || codeRow(a.status_code) - codeRow(b.status_code));
    for (const retraction of rows.flatMap(({ retractions }) => retractions)) {
      const key = `${retraction.provider} ${retraction.retracts}`;
      this.#retractions.set(key, [...(this.#retractions.get(key) ?? []), retraction]);
    }
  }

  /** The scans that were the only one of their life when they were recorded, in the order of the log. */
  beginnings(): StoredScan[] {
    const times = new SortedTimes();
    const ends: number[] = [];
    let examined = 0;
    return this.#byTime
      .toSorted((a, b) => compare(a.position, b.position))
      .filter((scan, index) => {
        const { millis } = scan;
        const before = times.latestUntil(millis);
        times.add(millis);
        // Only a scan after a gap, or after the end of a life, can begin a new one. The lives decide exactly.
        const mayBegin =
          before === undefined ||
          millis - before > NEW_START_AFTER_MS ||
          ends.some((end) => millis - end > REUSE_AFTER_MS && before - end <= REUSE_AFTER_MS);
        if (terminalStatusOf(scan) !== null && ends.length < MAX_BEGINNINGS) ends.push(millis);
        if (index === 0) return true;
        if (!mayBegin || ++examined > MAX_BEGINNINGS) return false;
        return this.#livesUntil(scan.position, true).find((life) => life.includes(scan))?.length === 1;
      });
  }

  /** Whether the latest life was alive for the log as it was at `position`, at the time `now`. */
  isHeld(position: string, now: number): boolean {
    const life = this.#livesUntil(position, false).at(-1);
    return life !== undefined && isAlive(life, now);
  }

  /** The lives of the scans before `position`, without the scans whose retraction was recorded before it. */
  #livesUntil(position: string, inclusive: boolean): TimedScan[][] {
    const isBefore = (one: { readonly position: string }) =>
      one.position < position || (inclusive && one.position === position);
    const isRetracted = ({ provider, event_id }: StoredScan) =>
      effectiveOf((this.#retractions.get(`${provider} ${event_id}`) ?? []).filter(isBefore)) !== undefined;
    return livesOf(this.#byTime.filter((scan) => isBefore(scan) && !isRetracted(scan)));
  }
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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
