/** Items about scans of drivers, staff and carriers that contradict the current state of their order. */
import { sql } from 'kysely';
import { ofOrders, utc } from './source.js';

/** A scan was kept as a conflict, and is neither applied nor discarded. One item per scan. */
export const unsettledScan = ofOrders({
  kind: 'unsettled_scan',
  severity: 1,
  joins: sql`join scan_conflicts.scan_conflicts c on c.order_id = o.id and c.business = o.business and c.decision is null`,
  nth: sql`c.n`,
  facts: sql`jsonb_build_object('conflict_id', c.id, 'code', c.code, 'tracking_number', c.tracking_number,
    'status_code', c.status_code, 'occurred_at', c.occurred_at, 'driver_id', c.driver_id, 'provider', c.provider)`,
  where: () => sql`true`,
  since: () => utc(sql`c.recorded_at::timestamptz`),
});
