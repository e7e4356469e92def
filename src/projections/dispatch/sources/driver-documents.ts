/** Items about required documents of drivers. */
import { sql } from 'kysely';
import { ofRoutes, utc, type BoardView } from './source.js';

/** Contractors see only the documents of their own fleets' drivers. Captains see only their own routes. Fleets R11. */
const mayKnow = ({ business, brokerId }: BoardView) =>
  brokerId === undefined
    ? sql`true`
    : sql`exists (select from fleets.fleets f where f.business = ${business} and not f.dissolved
        and r.driver_id = any (f.drivers) and (f.contractor_id = ${brokerId} or f.captains @> array[${brokerId}::int]))`;

/** A document that the business requires has expired, and the driver of a route of the day has no other valid one. */
export const documentExpired = ofRoutes({
  kind: 'paper_expired',
  severity: 1,
  joins: ({ business, date }) => sql`cross join lateral (
    select jsonb_agg(distinct d.kind order by d.kind) as kinds, max(d.valid_until) as valid_until
    from planning.planning s cross join lateral json_array_elements_text(s.settings -> 'required_documents') as k (kind)
    join driver_documents.driver_documents d on d.driver_id = r.driver_id and d.kind = k.kind
    where s.id = ${business} and d.state = 'verified' and d.valid_until < ${date} and not exists (
      select from driver_documents.driver_documents held
      where held.driver_id = r.driver_id and held.kind = k.kind and held.state = 'verified'
        and coalesce(held.valid_from, '') <= ${date} and coalesce(held.valid_until, '9999-12-31') >= ${date})) d`,
  facts: sql`jsonb_build_object('kinds', d.kinds, 'valid_until', d.valid_until)`,
  where: (view) => sql`r.schedule_date = ${view.date} and r.finished_at is null
    and (r.status = 'open' or r.open_stops > 0) and d.kinds is not null and ${mayKnow(view)}`,
  since: ({ timezone }) => utc(sql`((d.valid_until::date + 1)::timestamp) at time zone ${timezone}`),
});
