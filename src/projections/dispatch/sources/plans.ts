/** Items about route plans. */
import { sql, type RawBuilder } from 'kysely';
import type { BoardView, ItemRow, ItemSource } from './source.js';
import { WAITING_STATUSES } from './statuses.js';

interface PlanSource {
  readonly kind: string;
  readonly severity: ItemSource['severity'];
  /** SQL that follows `plans.plans p`. */
  readonly joins?: RawBuilder<unknown>;
  /** jsonb, in addition to the common members. */
  readonly facts: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

/** Items about plans `p` of the day and later. Shown to the business, and to contractors for their own plans. */
const ofPlans = ({ kind, severity, joins = sql``, facts, where }: PlanSource): ItemSource => ({
  kind,
  severity,
  about: 'plan',
  select: (view) => sql<ItemRow>`
    select ${sql.lit(`${kind}:`)} || p.id as item, ${sql.lit(kind)} as kind, ${sql.lit(severity)} as severity,
      p.ended_at as since, null::int as order_id, null::int as route_id, p.id as plan_id, null::text as job_id, null::int as driver_id,
      null::text as order_ref, jsonb_build_object('date', p.date, 'mode', p.mode, 'contractor_id', p.broker_id) || ${facts} as facts
    from plans.plans p ${joins}
    where p.business = ${view.business} and p.date >= ${view.date} and ${where} ${seenPlans(view)}`,
});

/** The plan failed, and there is no newer plan for that day. */
export const planFailed = ofPlans({
  kind: 'plan_failed',
  severity: 2,
  facts: sql`jsonb_build_object('reason', p.failure)`,
  where: sql`p.state = 'failed' and not exists (
    select from plans.plans later where later.business = p.business and later.date = p.date and later.id > p.id
      and later.broker_id is not distinct from p.broker_id)`,
});

/** The plan was committed, but orders rejected it, and they are still unplanned. */
export const planRefused = ofPlans({
  kind: 'plan_refused',
  severity: 2,
  joins: sql`cross join lateral (
    select jsonb_agg(jsonb_build_object('order_id', o.id, 'code', x.value ->> 'code') order by o.id) as refused
    from json_array_elements(p.outcome -> 'refused') x
    join orders.orders o on o.id = (x.value ->> 'order_id')::int and o.business = p.business
    where o.route_id is null and o.status in ${WAITING_STATUSES}) left_over`,
  facts: sql`jsonb_build_object('refused', left_over.refused)`,
  where: sql`p.state = 'committed' and left_over.refused is not null`,
});

/** SQL that follows the conditions on plans `p`. Captains have no plans, and plans belong to no fleet or route. */
export function seenPlans({
  brokerId,
  captainId,
  fleetId,
  routeId,
  orders,
  routes,
  plans,
  jobs,
}: BoardView): RawBuilder<unknown> {
  if (captainId !== undefined || fleetId !== undefined || routeId !== undefined) return sql`and false`;
  if (plans === undefined && (orders ?? routes ?? jobs) !== undefined) return sql`and false`;
  return sql`${brokerId === undefined ? sql`` : sql`and p.broker_id = ${brokerId}`}
    ${plans === undefined ? sql`` : sql`and p.id = any (${plans}::int[])`}`;
}
