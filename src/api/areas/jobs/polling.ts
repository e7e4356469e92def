/**
 * Reads jobs again for all requests that wait for or follow a job. It runs one statement for all of them, one at a
 * time, and none while no request waits. So a worker in another process does not need to know its followers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobStore, StoredJob } from '../../../engines/postgres/jobs.js';

/** Returns the job a moment later; undefined if it no longer exists. Throws the errors of the store. */
export type PollJob = (id: string) => Promise<StoredJob | undefined>;

const POLL_MS = 150;

export function createJobPolling(store: Pick<JobStore, 'byIds'>): PollJob {
  const requestedIds = new Set<string>();
  let nextRead: Promise<ReadonlyMap<string, StoredJob>> | undefined;
  let lastRead: Promise<unknown> = Promise.resolve();

  async function readJobs(): Promise<ReadonlyMap<string, StoredJob>> {
    await sleep(POLL_MS);
    // Requests that arrive from here on are served by the next read.
    const ids = [...requestedIds];
    requestedIds.clear();
    nextRead = undefined;
    return new Map((await store.byIds(ids)).map((job) => [job.id, job]));
  }

  return async (id) => {
    requestedIds.add(id);
    if (!nextRead) {
      nextRead = lastRead.then(readJobs);
      lastRead = nextRead.catch(() => undefined);
    }
    return (await nextRead).get(id);
  };
}
