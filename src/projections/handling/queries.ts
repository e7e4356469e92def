/** Queries on the read model of parcels in warehouses. */
import { sql, type Kysely } from 'kysely';
import type { ParcelState } from '../../events/orders/events.js';
import type { OrderStatus } from '../../events/orders/status.js';
import { KEY, type ListKey } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';

export interface ParcelRow {
  readonly order_id: number;
  readonly tracking_number: string;
  readonly state: ParcelState;
  /** The warehouse that the parcel is in; null: none. */
  readonly warehouse_id: number | null;
  readonly location: string | null;
  readonly bay: string | null;
  readonly since: string | null;
  /** Route and own warehouse of the parcel's order. */
  readonly route_id: number | null;
  readonly own_warehouse_id: number | null;
}

/** A parcel that a scanned code may refer to. */
export interface ParcelMatch {
  readonly code: string;
  /** True: the code is the parcel's own tracking number. False: it is the number of an external system. */
  readonly own: boolean;
  readonly order_id: number;
  readonly tracking_number: string;
  readonly status: OrderStatus;
  readonly route_id: number | null;
  readonly own_warehouse_id: number | null;
}

export interface ParcelFilter extends Range {
  readonly warehouseId?: number | undefined;
  readonly location?: string | undefined;
}

export type ParcelQueries = ReturnType<typeof createParcelQueries>;

const BY_PARCEL: ListKey = { columns: { order_id: KEY.integer, tracking_number: KEY.text } };
/** States of a parcel that is in a warehouse. */
const INSIDE: readonly ParcelState[] = ['received', 'put_away', 'quarantine', 'sorted'];

export function createParcelQueries(database: Kysely<Database>) {
  const rows = (business: number, which: ReturnType<typeof sql<boolean>>) =>
    database
      .selectFrom(
        sql<ParcelRow>`(select o.id as order_id, p.tracking_number, p.state, p.warehouse_id, p.location, p.bay, p.since, o.route_id,
            o.warehouse_id as own_warehouse_id
          from packages_at.orders o
          cross join lateral json_to_recordset(o.parcels) as p (tracking_number text, state text, warehouse_id integer, location text, bay text, since text)
         where o.business = ${business} and ${which})`.as('parcels'),
      )
      .selectAll();
  const at = (warehouseId: number) => sql<boolean>`o.warehouses @> array[${warehouseId}::integer]`;
  const anywhere = sql<boolean>`o.warehouses <> array[]::integer[]`;
  const inside = (business: number, warehouseId?: number) =>
    rows(business, warehouseId === undefined ? anywhere : at(warehouseId))
      .where('state', 'in', INSIDE)
      .$if(warehouseId !== undefined, (query) => query.where('warehouse_id', '=', warehouseId!));

  return {
    /** Parcels that are in warehouses. */
    inside: ({ warehouseId, location, ...range }: ParcelFilter, business: number): Promise<Page<ParcelRow>> =>
      pageOf(
        inside(business, warehouseId).$if(location !== undefined, (query) => query.where('location', '=', location!)),
        range,
        BY_PARCEL,
      ),
    byNumber: (
      { order_id, tracking_number }: { readonly order_id: number; readonly tracking_number: string },
      business: number,
    ): Promise<ParcelRow | undefined> =>
      rows(business, sql<boolean>`o.id = ${order_id}`)
        .where('tracking_number', '=', tracking_number)
        .executeTakeFirst(),
    /**
     * Parcels that are loaded at a warehouse for a route. They belong to orders that start there, or to door-to-door
     * orders whose parcel is in a warehouse. Parcels that are picked up en route are excluded.
     */
    onRoute: (routeId: number, business: number): Promise<readonly ParcelRow[]> =>
      rows(
        business,
        sql<boolean>`o.route_id = ${routeId} and (o.type = 'D' or o.type = 'P2P' and p.warehouse_id is not null)`,
      )
        .orderBy('order_id')
        .orderBy('tracking_number')
        .execute(),
    /** Number of parcels by state at a warehouse. `expected`: parcels of orders that start or end there. */
    async counts(warehouseId: number, business: number): Promise<Readonly<Record<ParcelState, number>>> {
      const own = sql<boolean>`(o.open and o.warehouse_id = ${warehouseId} or ${at(warehouseId)})`;
      const found = await rows(business, own)
        .clearSelect()
        .where((or) =>
          or.or([
            or('warehouse_id', '=', warehouseId),
            or.and([or('state', '=', 'expected'), or('own_warehouse_id', '=', warehouseId)]),
          ]),
        )
        .groupBy('state')
        .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
        .execute();
      const counted = new Map(found.map(({ state, count }) => [state, Number(count)]));
      const of = (state: ParcelState) => counted.get(state) ?? 0;
      return {
        expected: of('expected'),
        received: of('received'),
        put_away: of('put_away'),
        quarantine: of('quarantine'),
        sorted: of('sorted'),
        loaded: of('loaded'),
        missing: of('missing'),
        in_transfer: 0,
        gone: 0,
      };
    },
    /** Number of parcels in a warehouse that is not their order's own. */
    async misplaced(warehouseId: number, business: number): Promise<number> {
      const { count } = await inside(business, warehouseId)
        .clearSelect()
        .where('own_warehouse_id', '!=', warehouseId)
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Number of parcels by warehouse. */
    async onHand(business: number): Promise<ReadonlyMap<number, number>> {
      const found = await inside(business)
        .clearSelect()
        .groupBy('warehouse_id')
        .select(({ fn }) => ['warehouse_id', fn.countAll<string>().as('count')])
        .execute();
      return new Map(found.map(({ warehouse_id, count }) => [warehouse_id!, Number(count)]));
    },
    /** Whether parcels of open orders are still expected at the warehouse or in it. */
    async isAwaitedAt(warehouseId: number, business: number): Promise<boolean> {
      const found = await rows(business, sql<boolean>`o.open and o.warehouse_id = ${warehouseId}`)
        .where('state', '!=', 'gone')
        .limit(1)
        .execute();
      return found.length > 0;
    },
    /** Locations of a warehouse that contain parcels. */
    async locationsInUse(warehouseId: number, business: number): Promise<readonly string[]> {
      const found = await inside(business, warehouseId)
        .clearSelect()
        .where('location', 'is not', null)
        .select('location')
        .distinct()
        .execute();
      return found.map(({ location }) => location!);
    },
    /** The parcels that these codes may refer to. With `driverId`: only parcels on this driver's routes. */
    async byCodes(
      codes: readonly string[],
      { business, driverId }: { business: number; driverId?: number | undefined },
    ): Promise<ParcelMatch[]> {
      if (codes.length === 0) return [];
      const found = await database
        .selectFrom('orders.packages as p')
        .innerJoin('orders.orders as o', 'o.id', 'p.order_id')
        .where('o.business', '=', business)
        .where((or) => or.or([or('p.tracking_number', 'in', codes), or('p.external_tracking_number', 'in', codes)]))
        .$if(driverId !== undefined, (query) =>
          query.where('o.route_id', 'in', (routes) =>
            routes
              .selectFrom('routes.routes')
              .where('driver_id', '=', driverId!)
              .where('business', '=', business)
              .select('id'),
          ),
        )
        .select([
          'p.order_id',
          'p.tracking_number',
          'p.external_tracking_number',
          'o.status',
          'o.route_id',
          'o.warehouse_id as own_warehouse_id',
        ])
        .execute();
      return found.flatMap(({ external_tracking_number, ...one }) =>
        [one.tracking_number, external_tracking_number]
          .filter((code): code is string => code !== null && codes.includes(code))
          .map((code) => ({ code, own: code === one.tracking_number, ...one })),
      );
    },
  };
}
