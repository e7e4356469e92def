/** Finds the trackings that are packages of orders, and the businesses of orders. */
import type { Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { Progress } from '../core/progress.js';

/**
 * Maximum wait, in milliseconds, until the read model contains the orders of the scans. A carrier's scan always comes
 * after its order.
 */
const WAIT_MS = 10_000;

export interface PackageOfTracking {
  readonly order_id: number;
  readonly business: number;
  readonly tracking_number: string;
}

/**
 * Finds packages by tracking id, and the businesses of orders by order id, as of a position. Throws if the read model
 * does not reach the position in time.
 */
export function packagesOfTrackings({ pool, progress }: { readonly pool: Pool; readonly progress: Progress }) {
  return async (
    { trackings, orders }: { readonly trackings: readonly string[]; readonly orders: readonly number[] },
    position: Position,
  ): Promise<{
    readonly packages: ReadonlyMap<string, PackageOfTracking>;
    readonly businesses: ReadonlyMap<number, number>;
  }> => {
    if (!(await progress.waitFor('orders', position, WAIT_MS)))
      throw new Error(`The read model of orders has not reached position ${position} in time.`);
    const [found, owned] = await Promise.all([
      pool.query<PackageOfTracking & { tracking: string }>({
        name: 'packages-of-trackings',
        text: 'select p.tracking, p.tracking_number, p.order_id, o.business from orders.packages p join orders.orders o on o.id = p.order_id where p.tracking = any ($1)',
        values: [trackings],
      }),
      pool.query<{ id: number; business: number }>({
        name: 'businesses-of-orders',
        text: 'select id, business from orders.orders where id = any ($1)',
        values: [orders],
      }),
    ]);
    return {
      packages: new Map(found.rows.map(({ tracking, ...parcel }) => [tracking, parcel])),
      businesses: new Map(owned.rows.map(({ id, business }) => [id, business])),
    };
  };
}
