/** Items about routes. */
import { sql } from 'kysely';
import { minutesBefore, ofRoutes, utc, type BoardView } from './source.js';

/** A posted route that begins within this time and has no driver is an item. */
const SOON_MINUTES = 120;

/** A route of the day has no driver. */
export const noDriver = ofRoutes({
  kind: 'no_driver',
  severity: 1,
  where: ({ date }) =>
    sql`r.schedule_date = ${date} and r.driver_id is null and (r.status = 'open' or r.open_stops > 0)`,
  since: () => sql`r.driver_since`,
});

/** The last sign of activity of a driver: a start, a scan, or a position. */
const lastHeard = ({ dayStart }: BoardView) => sql`greatest(
  case when r.last_scan_at >= ${dayStart} then r.last_scan_at end,
  r.started_at, ${utc(sql`p.at`)})`;

/** The driver of a route in progress has sent no scan and no position for a long time. */
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

/** A route of the day has not started, although its planned or posted start has passed: no start, no scan. */
export const notStarted = ofRoutes({
  kind: 'not_started',
  severity: 1,
  facts: sql`jsonb_build_object('planned_at', coalesce(r.planned_start, r.start_at))`,
  where: (view) => sql`r.schedule_date = ${view.date} and r.driver_id is not null and r.open_stops > 0
    and r.started_at is null and coalesce(r.last_scan_at, '') < ${view.dayStart}
    and coalesce(r.planned_start, r.start_at) < ${minutesBefore(view, view.settings.start_grace)}`,
  since: () => sql`coalesce(r.planned_start, r.start_at)`,
});

/** A route of an earlier day has open stops. */
export const notFinished = ofRoutes({
  kind: 'not_finished',
  severity: 2,
  where: ({ date }) => sql`r.schedule_date < ${date} and r.open_stops > 0`,
  since: ({ timezone }) => utc(sql`((r.schedule_date::date + 1)::timestamp) at time zone ${timezone}`),
});

/** A posted route has no driver, and it begins soon or can no longer be claimed. */
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
