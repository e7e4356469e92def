/** Items about orders. */
import { sql } from 'kysely';
import { isInHand, ORDER_STATUS_NAMES } from '../../../events/orders/status.js';
import { ENDED_BADLY, isUnderWay } from '../../orders/status-conditions.js';
import { minutesBefore, ofOrders, utc } from './source.js';
import { FAILED, listed, WAITING_STATUSES } from './statuses.js';

const UNDER_WAY = sql.raw(isUnderWay('o.'));
const IN_HAND = ORDER_STATUS_NAMES.filter(isInHand);

const statusSince = () => sql`o.status_since`;

/** The order is due, but no route, contractor or third party has it. */
export const unplanned = ofOrders({
  kind: 'unplanned',
  severity: 2,
  where: ({ date }) => sql`o.status in ${WAITING_STATUSES} and o.schedule_date <= ${date} and o.self_delivery
    and o.route_id is null and o.third_party is null and o.offered_until is null and o.broker_id is null`,
  since: statusSince,
});

/** The order has been on hold for a long time. */
export const held = ofOrders({
  kind: 'held',
  severity: 3,
  where: (view) =>
    sql`o.status = 'HOLD' and o.status_since < ${minutesBefore(view, view.settings.held_days * 24 * 60)}`,
  since: statusSince,
});

/** A pick-up or a delivery failed, and the order has not been planned again. */
export const failedStop = ofOrders({
  kind: 'failed_stop',
  severity: 1,
  where: () => sql`o.status in ${listed(FAILED)}`,
  since: statusSince,
});

/** The order was returned to the sender or rejected on this day. */
export const endedBadly = ofOrders({
  kind: 'ended_badly',
  severity: 3,
  where: ({ dayStart, dayEnd }) => sql`o.${sql.raw(ENDED_BADLY)}
    and o.status_since >= ${dayStart} and o.status_since < ${dayEnd}`,
  since: statusSince,
});

const windowEnd = (timezone: string) =>
  sql`((o.schedule_date || ' ' || (w.value ->> 'to'))::timestamp at time zone ${timezone})`;

/** A time window ended before its stop was completed. Times are in the business's time zone. */
export const windowPassed = ofOrders({
  kind: 'window_passed',
  severity: 1,
  joins: sql`cross join lateral json_array_elements(o.time_windows) with ordinality as w (value, n)`,
  nth: sql`w.n`,
  facts: sql`jsonb_build_object('window', w.value)`,
  where: ({ date, clock }) => sql`${UNDER_WAY} and o.first_window_end is not null
    and (o.schedule_date < ${date} or (o.schedule_date = ${date} and o.first_window_end <= ${clock}))
    and (o.schedule_date < ${date} or (o.schedule_date = ${date} and w.value ->> 'to' <= ${clock}))
    and not (w.value ->> 'stop' = 'pickup' and o.status in ${listed(IN_HAND)})`,
  since: ({ timezone }) => utc(windowEnd(timezone)),
});

/** A contractor has had the order for a while without putting it on a route. */
export const contractorIdle = ofOrders({
  kind: 'contractor_idle',
  severity: 2,
  joins: sql`join assignments.assignments a on a.id = o.assignment_id`,
  facts: sql`jsonb_build_object('assigned_at', a.assigned_at)`,
  where: (view) => sql`o.status in ${WAITING_STATUSES} and o.route_id is null and o.schedule_date <= ${view.date}
    and a.assigned_at < ${minutesBefore(view, view.settings.idle_minutes)}`,
  since: () => sql`a.assigned_at`,
});

/** A carrier has the order, but has sent no scan for a long time. */
export const thirdPartySilent = ofOrders({
  kind: 'third_party_silent',
  severity: 2,
  joins: sql`cross join lateral (
    select max(t.last_active) as last_active from orders.packages p join timeline.trackings t on t.id = p.tracking where p.order_id = o.id) t`,
  facts: sql`jsonb_build_object('third_party', o.third_party, 'third_party_since', o.third_party_since, 'last_seen_at', t.last_active)`,
  where: (view) => {
    const silent = minutesBefore(view, view.settings.silent_hours * 60);
    return sql`o.third_party is not null and ${UNDER_WAY}
      and o.third_party_since < ${silent} and coalesce(t.last_active, '') < ${silent}`;
  },
  since: () => sql`greatest(o.third_party_since, t.last_active)`,
});
