/** The read model of drivers' reserved time: what the time is reserved for, and since when. */
import { DRIVER_PREFIX, DriverTimeReleased, DriverTimeReserved } from '../../events/drivers/events.js';
import { code, flag, integer, type RowOf } from '../core/columns.js';
import { recordedAt, startsWith, table } from '../core/table.js';

const columns = {
  /** Id of the reservation. There is one per purpose and driver; reserving again uses the same id. */
  id: code(),
  business: integer(),
  driver_id: integer(),
  /** `route:<id>` or `instant:<order id>`. */
  what: code(),
  from_at: code(),
  to_at: code(),
  units: integer(),
  date: code(),
  /** RFC 3339 in UTC. */
  reserved_at: code(),
  active: flag(),
  revision: integer(),
};
export type DriverTimeRow = RowOf<typeof columns>;

const utc = (time: string): string => new Date(time).toISOString();
/** In UTC, so that text order is time order. */
const spanOf = (from: string, to: string) => ({ from_at: utc(from), to_at: utc(to) });

export const driverTimes = table({
  name: 'driver_times',
  version: 2,
  prefixes: [DRIVER_PREFIX],
  columns,
  rows: { member: 'reservation_id', made: DriverTimeReserved },
  indexes: ['(driver_id) where active', '(to_at) where active'],
  fold: startsWith(
    DriverTimeReserved,
    ({ reservation_id, business, driver_id, for: what, from, to, units, date }, event): DriverTimeRow => ({
      id: reservation_id,
      business,
      driver_id,
      what,
      ...spanOf(from, to),
      units,
      date,
      reserved_at: recordedAt(event),
      active: true,
      revision: event.revision,
    }),
  )
    .on(DriverTimeReserved, ({ from, to, units, date }, _row, event) => ({
      ...spanOf(from, to),
      units,
      date,
      reserved_at: recordedAt(event),
      active: true,
    }))
    .on(DriverTimeReleased, () => ({ active: false })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'driver_times', { 'driver_times.driver_times': DriverTimeRow }> {}
}
