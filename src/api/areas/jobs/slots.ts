/**
 * Divides the slots of a worker. One slot is never taken by a long job, and one never by a business that has all others.
 * Without this rule, two route plans or large imports could stop the small jobs of all businesses for minutes. A worker
 * with one slot runs any job in it.
 */
import type { ClaimExclusions, StoredJob } from '../../../engines/postgres/jobs.js';

/** A job that this worker runs. */
export type OccupiedSlot = Pick<StoredJob, 'business' | 'long'>;

/** The jobs that must not take a free slot now. */
export function exclusionsOf(occupied: Iterable<OccupiedSlot>, slots: number): ClaimExclusions {
  if (slots === 1) return { businesses: [], long: false };
  const perBusiness = new Map<number, number>();
  let longJobs = 0;
  for (const { business, long } of occupied) {
    perBusiness.set(business, (perBusiness.get(business) ?? 0) + 1);
    if (long) longJobs++;
  }
  const most = slots - 1;
  return {
    businesses: [...perBusiness].filter(([, count]) => count >= most).map(([business]) => business),
    long: longJobs >= most,
  };
}
