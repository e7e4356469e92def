/** Finds the events of a document whose id the same provider has used for other content. */
import { contentName, idName } from '../../events/captures/names.js';
import type { ReadEvent } from './outcomes.js';
import { assignedIds, idNames, reusedIds } from './reuse.js';

export interface ReuseDirectory {
  /** Returns which of these names occur in a capture. Includes all captures that the log contains at the time of the call. */
  recorded(names: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The hashes of the captured events of a provider with these ids. For captures of earlier versions, which recorded no
   * names; the latest events may be missing.
   */
  hashesOf(provider: string, eventIds: readonly string[]): Promise<readonly { event_id: string; hash: string }[]>;
}

/** `more`: further names to look up with the same query. `seen`: all names that captures recorded. */
export const createReuseCheck =
  ({ recorded, hashesOf }: ReuseDirectory) =>
  async (
    events: readonly ReadEvent[],
    provider: string,
    more: readonly string[],
  ): Promise<{ readonly seen: ReadonlySet<string>; readonly reused: ReadonlySet<number> }> => {
    const ids = assignedIds(events, provider);
    const names = [...more, ...idNames(events, provider)];
    if (names.length === 0) return { seen: NONE, reused: new Set() };
    const [seen, earlier] = await Promise.all([recorded(names), ids.length > 0 ? hashesOf(provider, ids) : []]);
    const known = new Set([
      ...seen,
      ...earlier.flatMap(({ event_id, hash }) => [idName(provider, event_id), contentName(provider, event_id, hash)]),
    ]);
    return { seen, reused: reusedIds(events, provider, known) };
  };

const NONE: ReadonlySet<string> = new Set();
