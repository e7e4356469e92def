/**
 * Divides the slots of a worker. One slot is never taken by a long job, and one never by a business that has all others.
 * Without this rule, two route plans of one business could stop the imports and exports of all others for minutes. A
 * worker with one slot runs any job in it.
 */
import type { ClaimExclusions } from '../../../engines/postgres/jobs.js';

/** A job that this worker runs. */
export interface OccupiedSlot {
  readonly business: number;
  readonly kind: string;
}

/** The jobs that must not take a free slot now. `longKinds`: kinds whose jobs may run for minutes. */
export function exclusionsOf(
  occupied: Iterable<OccupiedSlot>,
  slots: number,
  longKinds: readonly string[],
): ClaimExclusions {
  if (slots === 1) return { businesses: [], kinds: [] };
  const perBusiness = new Map<number, number>();
  let long = 0;
  for (const { business, kind } of occupied) {
    perBusiness.set(business, (perBusiness.get(business) ?? 0) + 1);
    if (longKinds.includes(kind)) long++;
  }
  const most = slots - 1;
  return {
    businesses: [...perBusiness].filter(([, count]) => count >= most).map(([business]) => business),
    kinds: long >= most ? longKinds : [],
  };
}
