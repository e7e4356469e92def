/** The history of one order, from its stream: the actor, the time and the interface of each change. */
import { decode, unseal, type EventTypes, type KeyRing } from '../../events/core/codec.js';
import type { EventLog, JsonObject } from '../../events/core/log.js';
import { orderStream, orderSubject, statusAfter, type OrderStatus } from '../../events/orders/events.js';

export interface OrderHistoryEntry {
  readonly event_id: string;
  readonly type: string;
  /** RFC 3339, UTC: when the service recorded the event. */
  readonly recorded_at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly role?: string; readonly channel: string };
  readonly correlation_id: string;
  /** The new status of the order, if the event changed it. */
  readonly status?: OrderStatus;
  /** The event's own members, decrypted. Erased members are absent. */
  readonly data: JsonObject;
}

export type OrderHistory = (orderId: number) => Promise<readonly OrderHistoryEntry[]>;

export function createOrderHistory({
  log,
  types,
  keyRing,
}: {
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly keyRing: KeyRing;
}): OrderHistory {
  return async (orderId) => {
    const keys = await keyRing.existing([orderSubject(orderId)]);
    const entries: OrderHistoryEntry[] = [];
    for await (const event of log.read(orderStream(orderId))) {
      const data = unseal(decode(event, types), event.id, keys);
      const { token: _token, ...actor } = event.metadata['actor'] as unknown as OrderHistoryEntry['actor'] & {
        token?: string;
      };
      const status = statusAfter(event.type, data);
      entries.push({
        event_id: event.id,
        type: event.type,
        recorded_at: event.metadata['recorded_at'] as string,
        actor,
        correlation_id: event.metadata['$correlationId'] as string,
        ...(status && { status }),
        data,
      });
    }
    return entries;
  };
}
