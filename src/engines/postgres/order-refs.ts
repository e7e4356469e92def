/** One order at a time takes a reference: bridges the moment until the read model knows the order. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Longer than a read model ever lags; what a crash left claimed is free after it. */
const HELD = '10 minutes';

export interface OrderRefs {
  /**
   * Whether the reference is this order's now: it was nobody's, its own before, or that of an order that is cancelled.
   */
  claim(business: number, ref: string, orderId: number): Promise<boolean>;
  /** The order did not come to be. */
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
