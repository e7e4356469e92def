/** Items about routes. */
import { sql } from 'kysely';
import { minutesBefore, ofRoutes, utc, type BoardView } from './source.js';

/** A posted route that begins so soon, and that nobody has, is an item. */
const SOON_MINUTES = 120;

/** A route of the day that nobody drives. */
export const noDriver = ofRoutes({
  kind: 'no_driver',
  severity: 1,
  where: ({ date }) =>
    sql`r.schedule_date = ${date} and r.driver_id is null and (r.status = 'open' or r.open_stops > 0)`,
  since: () => sql`r.driver_since`,
});

/** The last that was heard of a driver under way: a start, a scan, or a place. */
const lastHeard = ({ dayStart }: BoardView) => sql`greatest(
  case when r.last_scan_at >= ${dayStart} then r.last_scan_at end,
  r.started_at, ${utc(sql`p.at`)})`;

/** A route under way of whose driver nothing was heard for long: no scan, no place. */
export const driverSilent = ofRoutes({
  kind: 'driver_silent',
  severity: 1,
  joins: () => sql`left join access.positions_last p on p.driver_id = r.driver_id`,
  facts: sql`jsonb_build_object('started_at', r.started_at)`,
  where: (view) => sql`r.schedule_date = ${view.date} and r.open_stops > 0
    and r.finished_at is null and (r.last_scan_at >= ${view.dayStart} or r.started_at is not null)
    and ${lastHeard(view)} < ${minutesBefore(view, view.settings.silent_minutes)}`,
  since: lastHeard,
});

/** A route of the day that was to begin by its plan or posting, and did not: no start, no scan. */
export const notStarted = ofRoutes({
  kind: 'not_started',
  severity: 1,
  facts: sql`jsonb_build_object('planned_at', coalesce(r.planned_start, r.start_at))`,
  where: (view) => sql`r.schedule_date = ${view.date} and r.driver_id is not null and r.open_stops > 0
    and r.started_at is null and coalesce(r.last_scan_at, '') < ${view.dayStart}
    and coalesce(r.planned_start, r.start_at) < ${minutesBefore(view, view.settings.start_grace)}`,
  since: () => sql`coalesce(r.planned_start, r.start_at)`,
});

/** A route of an earlier day with stops that are still to be done. */
export const notFinished = ofRoutes({
  kind: 'not_finished',
  severity: 2,
  where: ({ date }) => sql`r.schedule_date < ${date} and r.open_stops > 0`,
  since: ({ timezone }) => utc(sql`((r.schedule_date::date + 1)::timestamp) at time zone ${timezone}`),
});

/** A route that is posted, begins soon or may not be claimed any more, and that nobody has. */
export const unclaimed = ofRoutes({
  kind: 'unclaimed',
  severity: 2,
  facts: sql`jsonb_build_object('start_at', r.start_at, 'closes_at', r.closes_at, 'free_since', r.free_since)`,
  where: (view) => sql`r.schedule_date >= ${view.date} and r.status = 'open' and r.driver_id is null
    and r.held_by is null and (r.expired
      or (r.posted and (r.closes_at::timestamptz <= ${iso(view)}::timestamptz or r.start_at <= ${minutesBefore(view, -SOON_MINUTES)})))`,
  since: () =>
    utc(sql`least(r.closes_at::timestamptz, r.start_at::timestamptz - make_interval(mins => ${SOON_MINUTES}))`),
});

const iso = ({ now }: BoardView): string => new Date(now).toISOString();
