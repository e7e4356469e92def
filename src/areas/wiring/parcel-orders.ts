/**
 * The order of a parcel, as the reader of the parcel may see it. The same rules apply as for reading the order itself.
 */
import type { ParcelOrders } from '../../api/areas/trackings/parcel-orders.js';
import { toOrder } from '../../api/areas/orders/output.js';
import { READERS, viewerOf } from '../../api/areas/orders/viewer.js';
import { isUser, type Caller } from '../../api/core/callers.js';
import type { Parts } from '../../api/core/parts.js';
import { trackingOfPackage } from '../../events/orders/events.js';
import { instantAt } from '../../events/otep/time.js';
import type { ReadableOrders } from '../../projections/orders/readable-orders.js';
import { changedAt, journeyOfLife } from '../../projections/trackings/journeys.js';
import { currentLife, livesOf } from '../../projections/trackings/lives.js';
import type { TrackingQueries } from '../../projections/trackings/queries.js';

const MAY_READ: ReadonlySet<Caller['role']> = new Set(READERS);

export interface ParcelOrdersOptions extends Parts<'now'> {
  readonly orders: Pick<ReadableOrders, 'byIds'>;
  readonly trackings: Pick<TrackingQueries, 'byId'>;
}

export function createParcelOrders({ orders, trackings, now }: ParcelOrdersOptions): ParcelOrders {
  const mayRead: ParcelOrders['mayRead'] = ({ owner }, caller) =>
    isUser(caller) &&
    MAY_READ.has(caller.role) &&
    caller.scopes.has('orders:read') &&
    owner.kind === 'business' &&
    owner.id === String(caller.businessId);

  /** The events of a package of the order, and the time of their last change: RFC 3339, UTC. */
  async function parcel(business: number, number: string) {
    const row = await trackings.byId(trackingOfPackage(business, number));
    if (!row) return { events: [], updated_at: '' };
    const at = instantAt(now());
    const life = currentLife(livesOf([row]), at);
    return { events: journeyOfLife(life, { kind: 'public' }, at).timeline.events, updated_at: changedAt(life, at) };
  }

  return {
    mayRead,
    async read({ owner, number, subject }, caller) {
      const id = Number(subject.order_id);
      if (!mayRead({ owner }, caller) || !Number.isSafeInteger(id)) return undefined;
      const found = (await orders.byIds([id], viewerOf(caller))).get(id);
      // The order id in a tracking is only a hint. The order itself must contain the parcel.
      if (!found?.packages.some(({ tracking_number }) => tracking_number === number)) return undefined;
      const order = toOrder(found, caller);
      const parcels = await Promise.all(
        found.packages.map(({ tracking_number }) => parcel(Number(owner.id), tracking_number)),
      );
      return {
        ...order,
        parcels: parcels.map(({ events }) => events),
        updated_at: parcels.reduce(
          (latest, { updated_at }) => (updated_at > latest ? updated_at : latest),
          order.updated_at,
        ),
      };
    },
  };
}
