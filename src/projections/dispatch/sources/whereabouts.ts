/** Items about orders without a rider, and parcels in the wrong warehouse. */
import { sql } from 'kysely';
import { ofOrders } from './source.js';
import { WAITING_STATUSES } from './statuses.js';

/** The search for a rider ended without success, and the order is still waiting. */
export const offerExhausted = ofOrders({
  kind: 'offer_exhausted',
  severity: 1,
  joins: sql`join instants.instants i on i.id = o.id and i.business = o.business and i.status = 'exhausted'`,
  facts: sql`jsonb_build_object('requested_at', i.requested_at, 'rounds', i.round, 'offers', i.offers)`,
  where: () => sql`o.status in ${WAITING_STATUSES} and o.route_id is null and o.broker_id is null
    and o.third_party is null`,
  since: () => sql`i.changed_at`,
});

/** A parcel was received at a warehouse other than its order's own, and no transfer moves it. */
export const misReceived = ofOrders({
  kind: 'mis_received',
  severity: 2,
  joins: sql`join packages_at.orders a on a.id = o.id and a.business = o.business and a.open
      and a.warehouse_id is not null and not a.warehouses <@ array[a.warehouse_id]
    cross join lateral json_array_elements(a.parcels) with ordinality as p (value, n)`,
  nth: sql`p.n`,
  facts: sql`jsonb_build_object('tracking_number', p.value ->> 'tracking_number', 'state', p.value ->> 'state',
    'warehouse_id', p.value -> 'warehouse_id', 'own_warehouse_id', a.warehouse_id)`,
  where: () => sql`p.value ->> 'state' in ('received', 'put_away', 'quarantine', 'sorted')
    and (p.value ->> 'warehouse_id')::int <> a.warehouse_id
    and coalesce(p.value -> 'transfer' ->> 'step', '') <> 'marked'`,
  since: () => sql`p.value ->> 'since'`,
});
