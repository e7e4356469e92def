/**
 * When a driver had an order: while the order was on a route of the driver. Read from the log, because the read models
 * have only the present.
 */
import { decode, type EventTypes } from '../../events/core/codec.js';
import type { EventLog, StoredEvent } from '../../events/core/log.js';
import { OrderPutOnRoute, OrderTakenOffRoute, orderStream } from '../../events/orders/events.js';
import { DAY_MS, instantAt, instantOf, millisOf, type Instant } from '../../events/otep/time.js';
import { RouteCreated, RouteDriverAssigned, routeStream } from '../../events/routes/events.js';

/** A driver may still have a parcel for this time after another driver got its order. */
const MEMORY_MS = 14 * DAY_MS;

/** A period of time, start included, end excluded. Without an end, it lasts until now. */
interface Period {
  readonly from: Instant;
  readonly until?: Instant;
}

export type CustodyQueries = ReturnType<typeof createCustodyQueries>;

export function createCustodyQueries({ log, types }: { readonly log: EventLog; readonly types: EventTypes }) {
  async function* changesOf(stream: string): AsyncGenerator<{ at: Instant; event: StoredEvent; data: unknown }> {
    for await (const event of log.read(stream))
      yield { at: instantOf(event.metadata['recorded_at'] as string)!, event, data: decode(event, types) };
  }

  /** Periods in which the driver had the route. */
  async function withDriver(routeId: number, driverId: number): Promise<Period[]> {
    const drivers: { at: Instant; driver: number | undefined }[] = [];
    for await (const { at, event, data } of changesOf(routeStream(routeId)))
      if (event.type === RouteCreated.type || event.type === RouteDriverAssigned.type)
        drivers.push({ at, driver: (data as { readonly driver_id?: number }).driver_id });
    return drivers.flatMap(({ at, driver }, index) =>
      driver === driverId ? [period(at, drivers[index + 1]?.at)] : [],
    );
  }

  /** The routes that the order was on, and when. */
  async function routesOf(orderId: number): Promise<(Period & { readonly route: number })[]> {
    const routes: { at: Instant; route: number | undefined }[] = [];
    for await (const { at, event, data } of changesOf(orderStream(orderId)))
      if (event.type === OrderPutOnRoute.type) routes.push({ at, route: (data as { route_id: number }).route_id });
      else if (event.type === OrderTakenOffRoute.type) routes.push({ at, route: undefined });
    return routes.flatMap(({ at, route }, index) =>
      route === undefined ? [] : [{ ...period(at, routes[index + 1]?.at), route }],
    );
  }

  return {
    /** Whether the driver had the order at that moment; undefined: the driver did not have it within 14 days of it. */
    async ofOrder(orderId: number, driverId: number, at: Instant): Promise<boolean | undefined> {
      const periods: Period[] = [];
      for (const { route, ...onRoute } of await routesOf(orderId))
        for (const driven of await withDriver(route, driverId)) periods.push(...both(onRoute, driven));
      return covers(periods, at);
    },
    /** Whether the driver had the route at that moment; undefined: as for orders. */
    async ofRoute(routeId: number, driverId: number, at: Instant): Promise<boolean | undefined> {
      return covers(await withDriver(routeId, driverId), at);
    },
  };
}

const period = (from: Instant, until: Instant | undefined): Period => ({ from, ...(until !== undefined && { until }) });

function covers(periods: readonly Period[], at: Instant): boolean | undefined {
  const moment = millisOf(at);
  const [earliest, latest] = [instantAt(moment - MEMORY_MS), instantAt(moment + MEMORY_MS)];
  const near = periods.filter(({ from, until }) => from <= latest && (until === undefined || until >= earliest));
  return near.length === 0
    ? undefined
    : near.some(({ from, until }) => from <= at && (until === undefined || at < until));
}

/** The time that two periods have in common; empty if there is none. */
function both(one: Period, other: Period): Period[] {
  const from = one.from > other.from ? one.from : other.from;
  const ends = [one.until, other.until].filter((end): end is Instant => end !== undefined).sort();
  return ends[0] !== undefined && ends[0] <= from ? [] : [period(from, ends[0])];
}
