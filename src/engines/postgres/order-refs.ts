/** Reserves an order reference for one order, until the read model contains the order. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Longer than the maximum lag of a read model. Claims that remain after a crash expire after this time. */
const HELD = '10 minutes';

export interface OrderRefs {
  /**
   * Claims the reference for this order. Succeeds if it was free, already claimed by this order, or claimed by a
   * cancelled order.
   */
  claim(business: number, ref: string, orderId: number): Promise<boolean>;
  /** Releases the reference if the order was not created. */
  release(business: number, ref: string, orderId: number): Promise<void>;
  sweep(): Promise<number>;
}

const hashOf = (ref: string): Buffer => createHash('sha256').update(ref).digest();

export const createOrderRefs = (pool: Pool): OrderRefs => ({
  async claim(business, ref, orderId) {
    const { rowCount } = await pool.query(
      `insert into access.order_refs as held (business, ref, order_id) values ($1, $2, $3)
       on conflict (business, ref) do update set order_id = excluded.order_id, claimed_at = excluded.claimed_at
       where held.order_id = excluded.order_id or held.claimed_at < now() - $4::interval
         or exists (select from orders.orders where id = held.order_id and status = 'CANCELLED')`,
      [business, hashOf(ref), orderId, HELD],
    );
    return rowCount === 1;
  },

  async release(business, ref, orderId) {
    await pool.query('delete from access.order_refs where business = $1 and ref = $2 and order_id = $3', [
      business,
      hashOf(ref),
      orderId,
    ]);
  },

  async sweep() {
    const { rowCount } = await pool.query('delete from access.order_refs where claimed_at < now() - $1::interval', [
      HELD,
    ]);
    return rowCount ?? 0;
  },
});
