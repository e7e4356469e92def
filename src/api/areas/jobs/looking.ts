/**
 * Looks at jobs again for all who wait for one or follow one: one statement for all of them, one at a time, and none
 * while nobody asks. A worker in another process need not know who follows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';

/** The job as it is a moment later; undefined where it is gone. Throws what the store throws. */
export type LookAgain = (id: string) => Promise<StoredJob | undefined>;

const LOOK_MS = 150;

export function createLooking(store: Pick<JobStore, 'byIds'>): LookAgain {
  const asked = new Set<string>();
  let next: Promise<ReadonlyMap<string, StoredJob>> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function look(): Promise<ReadonlyMap<string, StoredJob>> {
    await sleep(LOOK_MS);
    // Who asks from here on is answered by the look after this one.
    const ids = [...asked];
    asked.clear();
    next = undefined;
    return new Map((await store.byIds(ids)).map((job) => [job.id, job]));
  }

  return async (id) => {
    asked.add(id);
    if (!next) {
      next = last.then(look);
      last = next.catch(() => undefined);
    }
    return (await next).get(id);
  };
}
