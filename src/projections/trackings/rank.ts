/** Sorts the parcels that identifiers refer to (rules N5 and N6 of the protocol). */
import type { Owner } from '../../events/trackings/events.js';
import { holderOf } from './holder.js';
import type { TrackingRow } from './row.js';

/** The members of a tracking that the order depends on. */
export interface Candidate {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly revision: number;
  readonly since: string;
  readonly since_at: string;
}

/** All trackings of one owner with one number, oldest first. */
export interface Named<T extends Candidate> {
  readonly owner: Owner;
  readonly number: string;
  readonly trackings: readonly [T, ...T[]];
  /** Position in the log since which one of the identifiers has referred to them, and the time of that event. */
  readonly since: string;
  readonly since_at: string;
}

/** The trackings by owner and number, in the order in which an identifier began to refer to them. */
export function byOwnerAndNumber<T extends Candidate>(candidates: readonly T[]): Named<T>[] {
  const groups = new Map<string, Map<string, T>>();
  for (const candidate of candidates) {
    const key = JSON.stringify([candidate.owner.kind, candidate.owner.id, candidate.number]);
    const group = groups.get(key) ?? new Map<string, T>();
    const known = group.get(candidate.id);
    if (!known || candidate.since < known.since) group.set(candidate.id, candidate);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map((group) => {
      const trackings = [...group.values()].sort((a, b) => a.generation - b.generation) as [T, ...T[]];
      const { since, since_at } = trackings.reduce((first, one) => (one.since < first.since ? one : first));
      return { owner: trackings[0].owner, number: trackings[0].number, trackings, since, since_at };
    })
    .sort((a, b) => compare(a.since, b.since) || compare(a.trackings[0].id, b.trackings[0].id));
}

/**
 * The current meaning of the identifiers first, the others by time:
 *
 * 1. The parcel of an order of this service whose own number it is.
 * 2. The parcel of the owner that holds the number; see holder.ts. Only this case reads the scans.
 */
export async function rank<T extends Candidate>(
  candidates: readonly T[],
  identifiers: readonly string[],
  byId: (id: string) => Promise<TrackingRow | undefined>,
  holders?: HolderCache,
): Promise<Named<T>[]> {
  const named = byOwnerAndNumber(candidates);
  if (named.length < 2) return named;
  const first =
    named.find(({ owner, number }) => owner.kind === 'business' && identifiers.includes(number)) ??
    (await holderIn(named, byId, holders));
  return [first, ...named.filter((one) => one !== first)];
}

/** The index of the holder, by the revisions of all candidates: it depends on their events alone. */
export interface HolderCache {
  get(key: string): number | undefined;
  set(key: string, index: number): unknown;
}

/** The parcel whose owner holds the number. `named`: at least one. */
export async function holderIn<T extends Candidate>(
  named: readonly Named<T>[],
  byId: (id: string) => Promise<TrackingRow | undefined>,
  holders: HolderCache | undefined,
): Promise<Named<T>> {
  const key = JSON.stringify(
    named.map(({ trackings, since }) => [since, ...trackings.map(({ id, revision }) => [id, revision])]),
  );
  const known = holders?.get(key);
  if (known !== undefined) return named[known]!;
  const holder = holderOf(
    await Promise.all(
      named.map(async (one) => ({
        one,
        since: one.since,
        since_at: one.since_at,
        rows: (await Promise.all(one.trackings.map(({ id }) => byId(id)))).filter((row) => row !== undefined),
      })),
    ),
  ).one;
  holders?.set(key, named.indexOf(holder));
  return holder;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
