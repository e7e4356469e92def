/** Items about routes. */
import { sql } from 'kysely';
import { minutesBefore, ofRoutes } from './source.js';

/** A route of the day that nobody drives. */
export const noDriver = ofRoutes({
  kind: 'no_driver',
  severity: 1,
  where: ({ date }) =>
    sql`r.schedule_date = ${date} and r.driver_id is null and (r.status = 'open' or r.open_stops > 0)`,
  since: () => sql`r.created_at`,
});

/** A route under way whose driver scanned nothing for long. */
export const driverSilent = ofRoutes({
  kind: 'driver_silent',
  severity: 1,
  where: (view) => sql`r.schedule_date = ${view.date} and r.open_stops > 0 and r.last_scan_at >= ${view.dayStart}
    and r.last_scan_at < ${minutesBefore(view, view.settings.silent_minutes)}`,
  since: () => sql`r.last_scan_at`,
});

/** A route of an earlier day with stops that are still to be done. */
export const notFinished = ofRoutes({
  kind: 'not_finished',
  severity: 2,
  where: ({ date }) => sql`r.schedule_date < ${date} and r.open_stops > 0`,
  since: ({ timezone }) =>
    sql`to_char((((r.schedule_date::date + 1)::timestamp) at time zone ${timezone}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
});
