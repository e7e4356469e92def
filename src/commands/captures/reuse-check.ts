/** Finds the events of a document whose id the same provider has used for other content. */
import { contentName, idName } from '../../events/captures/names.js';
import type { Position } from '../../events/core/log.js';
import { reusedIds, type AssignedIds } from './reuse.js';

export interface Freshness {
  /** Captures up to this position are included. */
  readonly since?: Position | undefined;
  /**
   * Whether all captures that the log contains at the time of the call are included. Otherwise, names that other
   * processes have just stored may be missing.
   */
  readonly isExact: boolean;
}

export interface ReuseDirectory {
  /** Returns which of these names occur in a capture. */
  recorded(names: readonly string[], freshness: Freshness): Promise<ReadonlySet<string>>;
  /**
   * The hashes of the captured events of a provider with these ids. For captures of earlier versions, which recorded no
   * names; the latest events may be missing.
   */
  hashesOf(provider: string, eventIds: readonly string[]): Promise<readonly { event_id: string; hash: string }[]>;
}

/** `more`: additional names to look up with the same query. `seen`: all names that captures recorded. */
export const createReuseCheck =
  ({ recorded, hashesOf }: ReuseDirectory) =>
  async (
    ids: AssignedIds,
    provider: string,
    more: readonly string[],
    freshness: Freshness,
  ): Promise<{ readonly seen: ReadonlySet<string>; readonly reused: ReadonlySet<number> }> => {
    const assigned = ids.filter((id) => id !== undefined);
    const names = new Set([...more, ...assigned.map(({ name }) => name)]);
    if (names.size === 0) return { seen: NONE, reused: new Set() };
    const [seen, earlier] = await Promise.all([
      recorded([...names], freshness),
      assigned.length > 0 ? hashesOf(provider, [...new Set(assigned.map(({ id }) => id))]) : [],
    ]);
    // Most ids are new, so their contents are not looked up.
    const repeated = new Set(assigned.filter(({ name }) => seen.has(name)).flatMap(({ contents }) => contents));
    const known = new Set([
      ...seen,
      ...(repeated.size > 0 ? await recorded([...repeated], freshness) : NONE),
      ...earlier.flatMap(({ event_id, hash }) => [idName(provider, event_id), contentName(provider, event_id, hash)]),
    ]);
    return { seen, reused: reusedIds(ids, known) };
  };

const NONE: ReadonlySet<string> = new Set();
