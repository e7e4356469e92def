/** Photos of returns are readable for the callers that see the order. */
import { orderIdsIn } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { FileReader } from '../files/operations.js';
import { viewerOf } from './viewer.js';

/** A photo of a return is encrypted with the key of its order, which its subject names. */
export const photoReader = (queries: Pick<OrderQueries, 'byId'>): FileReader => ({
  scope: 'orders:read',
  async canRead({ purpose, subject }, caller) {
    const [orderId] = orderIdsIn([subject]);
    if (purpose !== 'photo' || orderId === undefined) return false;
    return (await queries.byId(orderId, viewerOf(caller))) !== undefined;
  },
});
