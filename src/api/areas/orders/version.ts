/** The version of an order: the revision of its stream, which each change of the order raises. */
import { orderStream } from '../../../events/orders/events.js';
import type { Versioned } from '../../core/operation.js';

export const ORDER_VERSION: Versioned = {
  stream: ({ order_id }) => orderStream(order_id as number),
  code: 'ORDER_VERSION_CHANGED',
};
