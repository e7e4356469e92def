/** The planned delivery of an order's parcels, derived from its schedule. Pure. */
import { addDays, startOfDay, zonedTime } from '../../events/core/local-time.js';
import type { StoredEvent } from '../../events/core/log.js';
import { clockAt, dayBegins } from '../../events/core/wall-clock.js';
import { OrderCreated, TimeWindowChanged, type NewOrderData, type TimeWindow } from '../../events/orders/events.js';
import type { PlannedDelivery } from '../../events/trackings/events.js';

/** Types of events that contain a schedule. */
export const PLANNING: ReadonlySet<string> = new Set([OrderCreated.type, TimeWindowChanged.type]);

/** The range of dates that are valid in every time zone. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-02', '9998-12-31'];

interface Schedule {
  readonly schedule_date?: string | undefined;
  readonly time_windows?: readonly TimeWindow[] | undefined;
}

/**
 * The planned delivery after `event`. `past`: the events of the order, oldest first. Undefined if the order has no
 * date, or if it is brought to a warehouse.
 */
export function deliveryPlan(
  event: StoredEvent,
  past: readonly StoredEvent[],
  timezone: string,
): PlannedDelivery | undefined {
  const { type } = past[0]!.data as unknown as NewOrderData;
  const { schedule_date: date, time_windows = [] } = past
    .slice(0, past.indexOf(event) + 1)
    .filter((one) => PLANNING.has(one.type))
    .map(({ data }) => data as Schedule)
    .reduce((before, { schedule_date, time_windows }) => ({
      schedule_date: schedule_date ?? before.schedule_date,
      time_windows: time_windows ?? before.time_windows,
    }));
  if (type === 'P' || date === undefined || date < FIRST_DAY || date > LAST_DAY) return undefined;
  const at = (clock: string): string =>
    zonedTime((dayBegins(date, timezone) + clockAt(date, clock, timezone)) * 1_000, timezone);
  const windows = time_windows
    .filter(({ stop }) => stop === 'delivery')
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
    .map(({ from, to }) => ({ from: at(from), to: at(to) }));
  const by = windows.reduce(
    (last, { to }) => (Date.parse(to) > Date.parse(last) ? to : last),
    windows[0]?.to ?? zonedTime(Date.parse(startOfDay(addDays(date, 1), timezone)) - 1_000, timezone),
  );
  return { date, windows, by, order_revision: event.revision };
}
