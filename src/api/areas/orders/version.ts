/** The version of an order: the revision of its stream, which each change of the order raises. */
import { orderStream } from '../../../events/orders/events.js';
import type { Versioned } from '../../core/operation.js';
import { versionBy } from '../../core/versions.js';

export const ORDER_VERSION: Versioned = { ...versionBy('order_id', orderStream), code: 'ORDER_VERSION_CHANGED' };
