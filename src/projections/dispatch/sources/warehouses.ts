/** Items about warehouse problems: unsettled scan conflicts, and parcels that a transfer lost. */
import { sql } from 'kysely';
import { minutesBefore, ofOrders, utc } from './source.js';

/** Warehouse staff have this time to settle a rejected scan. After that, it is shown to dispatchers (warehouse R3). */
const UNSETTLED_MINUTES = 15;

/** Scans of an order's parcels that were rejected, and neither applied nor discarded. One item per order. */
export const scanConflict = ofOrders({
  kind: 'scan_conflict',
  severity: 2,
  joins: sql`join (
    select w.business, (w.result ->> 'order_id')::int as order_id, min(w.received_at) as refused_at,
      jsonb_agg(jsonb_build_object('op_id', w.op_id, 'device_id', w.device_id, 'do', w.body ->> 'do', 'code', w.result ->> 'code',
        'tracking_number', w.result ->> 'tracking_number', 'warehouse_id', w.warehouse_id) order by w.received_at, w.op_id) as scans
    from access.wms_ops w
    where w.outcome in ('conflict', 'rejected') and w.settled_at is null and w.result ->> 'order_id' is not null
    group by 1, 2) w on w.order_id = o.id and w.business = o.business`,
  facts: sql`jsonb_build_object('scans', w.scans)`,
  where: (view) => sql`w.refused_at < ${minutesBefore(view, UNSETTLED_MINUTES)}::timestamptz`,
  since: () => utc(sql`w.refused_at`),
});

/**
 * A parcel did not arrive with a completed transfer. The item ends when the parcel is scanned anywhere or rolled back,
 * or when its order has ended.
 */
export const transferMissing = ofOrders({
  kind: 'transfer_missing',
  severity: 1,
  joins: sql`join packages_at.orders a on a.id = o.id and a.business = o.business and a.open
    cross join lateral json_array_elements(a.parcels) with ordinality as p (value, n)`,
  nth: sql`p.n`,
  facts: sql`jsonb_build_object('tracking_number', p.value ->> 'tracking_number', 'transfer_id', p.value -> 'transfer' -> 'id')`,
  where: () => sql`p.value ->> 'state' = 'missing' and p.value -> 'transfer' ->> 'step' = 'missing'`,
  since: () => sql`p.value ->> 'since'`,
});
