/** Counts operations of scanners that are not settled, and withdraws operations that were not executed. */
import type { Pool } from 'pg';
import type { Device } from './wms-ops.js';

/** An operation without a result that is older was interrupted by a crash, and is sent again. */
const RUNNING_MINUTES = 5;

export interface OpenOps {
  /**
   * Numbers of refused operations that are not settled, and of operations that are running: `own` of the user, `all` of
   * the business. Running ones count, so that parallel requests cannot exceed a limit together.
   */
  count(business: number, userId: number): Promise<{ readonly own: number; readonly all: number }>;
  /** Deletes these operations of the device as long as they have no result: the device sends them again. */
  withdraw(device: Device, opIds: readonly string[]): Promise<void>;
}

export const createOpenOps = (pool: Pool): OpenOps => ({
  async count(business, userId) {
    const { rows } = await pool.query<{ own: number; all: number }>(
      `select count(*) filter (where user_id = $2)::int as own, count(*)::int as all from (
         select user_id from access.wms_ops
          where business = $1 and outcome in ('conflict', 'rejected') and settled_at is null
         union all
         select user_id from access.wms_ops
          where business = $1 and outcome is null and received_at > now() - make_interval(mins => $3)) open`,
      [business, userId, RUNNING_MINUTES],
    );
    return rows[0]!;
  },
  async withdraw({ business, user_id, device_id }, opIds) {
    await pool.query(
      `delete from access.wms_ops
        where business = $1 and user_id = $2 and device_id = $3 and op_id = any ($4) and outcome is null`,
      [business, user_id, device_id, opIds],
    );
  },
});
