/** Decides who may read an event exactly as it is stored. */
import type { EventLog, StoredEvent } from '../../../events/core/log.js';
import { ownerSchema, TRACKING_PREFIX } from '../../../events/trackings/events.js';
import type { UserCaller } from '../../core/callers.js';

/** Platform staff may read every event. Other users may read events by their business and events of its trackings. */
export async function mayProve(event: StoredEvent, { businessId }: UserCaller, log: EventLog): Promise<boolean> {
  if (businessId === undefined) return true;
  if (event.metadata['business'] === String(businessId)) return true;
  if (!event.stream.startsWith(TRACKING_PREFIX)) return false;
  for await (const { data } of log.read(event.stream)) {
    const owner = ownerSchema.safeParse(data['owner']);
    return owner.success && owner.data.kind === 'business' && owner.data.id === String(businessId);
  }
  return false;
}
