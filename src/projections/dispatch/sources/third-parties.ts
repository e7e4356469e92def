/** Items about offers that no third-party carrier accepted, and about deadlines that carriers missed. */
import { sql } from 'kysely';
import { isUnderWay } from '../../orders/status-conditions.js';
import { ofOrders } from './source.js';
import { WAITING_STATUSES } from './statuses.js';

/** All providers declined, or none accepted in time, and nothing has had the order since. */
export const thirdPartyUnaccepted = ofOrders({
  kind: 'third_party_unaccepted',
  severity: 1,
  joins: sql`join third_party_offers.offers f on f.order_id = o.id and f.status in ('declined', 'expired')`,
  facts: sql`jsonb_build_object('offer_id', f.offer_id, 'outcome', f.status, 'respond_by', f.respond_by,
    'ended_at', f.ended_at)`,
  where: () => sql`o.status in ${WAITING_STATUSES} and o.route_id is null and o.broker_id is null
    and o.third_party is null and o.offered_until is null and f.ended_at >= o.free_since`,
  since: () => sql`f.ended_at`,
});

const HAS_MISSED_DELIVERY = sql`p.missed::jsonb ? 'delivery'`;

/** The carrier that has the order missed the latest pick-up or the end of the delivery, and the order still waits. */
export const thirdPartyLate = ofOrders({
  kind: 'third_party_late',
  severity: 1,
  joins: sql`join third_party_offers.providers p on p.order_id = o.id and p.provider = o.third_party
    and p.status = 'taken'`,
  facts: sql`jsonb_strip_nulls(jsonb_build_object('third_party', o.third_party, 'offer_id', p.offer_id,
    'missed_deadlines', p.missed, 'pickup_by', p.pickup_by, 'deliver_by', p.deliver_by))`,
  where: () => sql`o.third_party is not null and ${sql.raw(isUnderWay('o.'))}
    and (${HAS_MISSED_DELIVERY} or (p.missed::jsonb ? 'pickup'
      and (o.status in ${WAITING_STATUSES} or o.status = 'OUT_FOR_PICKUP')))`,
  since: () => sql`case when ${HAS_MISSED_DELIVERY} then p.deliver_by else p.pickup_by end`,
});
