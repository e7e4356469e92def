/**
 * Reads jobs again for all requests that wait for or follow a job. It runs one statement for all of them, one at a
 * time, and none while no request waits. So a worker in another process does not need to know its followers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';

/** Returns the job a moment later; undefined if it no longer exists. Throws the errors of the store. */
export type LookAgain = (id: string) => Promise<StoredJob | undefined>;

const LOOK_MS = 150;

export function createLooking(store: Pick<JobStore, 'byIds'>): LookAgain {
  const asked = new Set<string>();
  let next: Promise<ReadonlyMap<string, StoredJob>> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function look(): Promise<ReadonlyMap<string, StoredJob>> {
    await sleep(LOOK_MS);
    // Requests that arrive from here on are served by the next read.
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
