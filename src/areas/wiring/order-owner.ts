/** Finds the business of an order in the log, for commands of callers that belong to no business. */
import type { EventLog } from '../../events/core/log.js';
import { orderStream } from '../../events/orders/events.js';

/** Returns undefined if there is no such order. */
export const createOwnerOf =
  (log: Pick<EventLog, 'read'>) =>
  async (orderId: number): Promise<number | undefined> => {
    for await (const { data } of log.read(orderStream(orderId))) return data['business'] as number;
    return undefined;
  };
