/** Causal depth of the events that one request caused. */
import type { AuditEntry } from '../../../projections/audit/read-model.js';

/**
 * Number of causal steps from the request to each event, by event id: 0 for an event of the request itself, 1 for an
 * event that such an event caused, and so on. `entries` are the events of the chain that the reader may see, in log
 * order: causes come before effects.
 */
export function depthsOf(entries: readonly Pick<AuditEntry, 'id' | 'causation'>[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const { id, causation } of entries) depths.set(id, causation === null ? 0 : (depths.get(causation) ?? -1) + 1);
  return depths;
}
