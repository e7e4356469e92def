/** Counts refused operations of scanners that are not settled, and withdraws them. */
import type { Pool } from 'pg';
import type { Device } from './wms-ops.js';

export interface OpenOps {
  /**
   * Numbers of refused operations that are not settled: `own` of the user, `all` of all drivers of the business in the
   * last `days` days.
   */
  count(business: number, userId: number, days: number): Promise<{ readonly own: number; readonly all: number }>;
  /** Deletes these operations of the device as long as they are not settled: the device sends them again. */
  withdraw(device: Device, opIds: readonly string[]): Promise<void>;
}

const UNSETTLED = `outcome in ('conflict', 'rejected') and settled_at is null`;

export const createOpenOps = (pool: Pool): OpenOps => ({
  async count(business, userId, days) {
    const { rows } = await pool.query<{ own: number; all: number }>(
      `select count(*) filter (where o.user_id = $2)::int as own,
              count(*) filter (where a.role = 'driver' and o.received_at > now() - make_interval(days => $3))::int as all
         from access.wms_ops o left join accounts.accounts a on a.id = o.user_id
        where o.business = $1 and ${UNSETTLED}`,
      [business, userId, days],
    );
    return rows[0]!;
  },
  async withdraw({ business, user_id, device_id }, opIds) {
    await pool.query(
      `delete from access.wms_ops
        where business = $1 and user_id = $2 and device_id = $3 and op_id = any ($4) and ${UNSETTLED}`,
      [business, user_id, device_id, opIds],
    );
  },
});
