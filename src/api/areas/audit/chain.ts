/** From cause to effect: how the events of one request follow from each other. */
import type { AuditEntry } from '../../../projections/audit/read-model.js';

/**
 * Steps from the request to each event, by event id: 0 for what the request did itself, one more for what followed from
 * that. `entries` are all of the chain that the reader may see, in the order of the log: a cause comes before its
 * effects.
 */
export function depthsOf(entries: readonly Pick<AuditEntry, 'id' | 'causation'>[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, causation } of entries) depths.set(id, causation === null ? 0 : (depths.get(causation) ?? -1) + 1);
  return depths;
}
