/**
 * The order of a parcel, as the reader of the parcel may see it. The same rules apply as for reading the order itself.
 */
import type { ParcelOrders } from '../../api/areas/trackings/parcel-orders.js';
import { toOrder } from '../../api/areas/orders/output.js';
import { READERS, viewerOf } from '../../api/areas/orders/viewer.js';
import { isUser, type Caller } from '../../api/core/callers.js';
import type { ReadableOrders } from '../../projections/orders/readable-orders.js';

const MAY_READ: ReadonlySet<Caller['role']> = new Set(READERS);

export function createParcelOrders(orders: Pick<ReadableOrders, 'byIds'>): ParcelOrders {
  const mayRead: ParcelOrders['mayRead'] = ({ owner }, caller) =>
    isUser(caller) &&
    MAY_READ.has(caller.role) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId);
  return {
    mayRead,
    async read({ owner, number, subject }, caller) {
      const id = Number(subject.order_id);
      if (!mayRead({ owner }, caller) || !Number.isSafeInteger(id)) return undefined;
      const order = (await orders.byIds([id], viewerOf(caller))).get(id);
      // The order id in a tracking is only a hint. The order itself must contain the parcel.
      return order?.packages.some(({ tracking_number }) => tracking_number === number)
        ? toOrder(order, caller)
        : undefined;
    },
  };
}
