/** Objects that the followers of a process share: one per pool and lease holder. */
import type { Pool } from 'pg';
import type { LeaseHolder } from '../../events/core/time-limits.js';

export function perHolder<T>(make: (pool: Pool, owner: LeaseHolder) => T): (pool: Pool, owner: LeaseHolder) => T {
  const all = new WeakMap<Pool, Map<string, T>>();
  return (pool, owner) => {
    const ofPool = all.get(pool) ?? new Map<string, T>();
    all.set(pool, ofPool);
    const one = ofPool.get(owner.id) ?? make(pool, owner);
    ofPool.set(owner.id, one);
    return one;
  };
}
