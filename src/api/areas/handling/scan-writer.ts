/**
 * Applies scans, with one function per kind of scanned item: parcels of orders, and stock.
 */
import type { ParcelChange } from '../../../commands/orders/command.js';
import type { Commands } from '../../../commands/commands.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import type { StockCommand, StockChange } from '../../../commands/stock/decider.js';
import type { WarehouseCommand } from '../../../commands/warehouses/decider.js';
import type { Position } from '../../../events/core/log.js';
import { orderStream, type SiteOfScan } from '../../../events/orders/events.js';
import { stockId, stockStream } from '../../../events/stock/events.js';
import { warehouseStream } from '../../../events/warehouses/events.js';
import type { CustodyQueries } from '../../../projections/orders/custody.js';
import type { ParcelMatch } from '../../../projections/handling/queries.js';
import type { Route, RouteQueries } from '../../../projections/routes/queries.js';
import type { StockRow } from '../../../projections/stock/read-model.js';
import type { Warehouse } from '../../../projections/warehouses/queries.js';
import type { Op, OpResult } from './op.js';

/** A checked scan to apply. */
export interface Scan {
  readonly op: Op;
  readonly instant: string;
  readonly device_id: string;
  /** Derived from the scan, so that a repetition has the same id. */
  readonly commandId: string;
  /** Command ids of later scans of the same item by the device. */
  readonly later: readonly string[];
  readonly business: number;
  readonly userId: number;
  /** Set if the user is a driver; undefined for staff. */
  readonly driverId?: number | undefined;
  readonly warehouse: Warehouse;
  readonly cause: Cause;
}

export interface ScanWriterOptions {
  readonly orders: Commands['orders'];
  readonly stock: Handle<StockCommand, undefined>;
  readonly warehouses: Handle<WarehouseCommand, string | undefined>;
  readonly routes: Pick<RouteQueries, 'byId'>;
  readonly custody: Pick<CustodyQueries, 'ofRoute'>;
  /** The code of a warehouse for display. */
  readonly codeOf: (warehouse: number, business: number) => Promise<string>;
}

export type WrittenScan = Omit<OpResult, 'outcome'> & { readonly position: Position | undefined };

/** Returns a required member of a scan; throws the DomainError SCAN_INCOMPLETE if it is missing. */
export function expectMember<T>(value: T | undefined, member: string): T {
  if (value === undefined) throw new DomainError('SCAN_INCOMPLETE', { member });
  return value;
}

export type ScanWriter = ReturnType<typeof createScanWriter>;

export function createScanWriter({ orders, stock, warehouses, routes, custody, codeOf }: ScanWriterOptions) {
  async function routeOf({ op, business, driverId }: Scan): Promise<Route> {
    const route = await routes.byId(expectMember(op.route_id, 'route_id'), { business, driverId });
    if (!route) throw new DomainError('ROUTE_NOT_FOUND');
    return route;
  }

  /** The route of a load. For a driver: a route that the driver had at the time of the scan. */
  async function loadedRouteOf(scan: Scan): Promise<Route> {
    const { op, business, driverId, instant } = scan;
    const id = expectMember(op.route_id, 'route_id');
    if (driverId !== undefined && !(await routes.byId(id, { business, driverId }))) {
      const had = await custody.ofRoute(id, driverId, instant);
      if (had === undefined) throw new DomainError('ROUTE_NOT_FOUND');
      if (!had) throw new DomainError('DRIVER_REPLACED');
      return routeOf({ ...scan, driverId: undefined });
    }
    const route = await routeOf(scan);
    if (route.driver_id === null) throw new DomainError('ROUTE_WITHOUT_DRIVER');
    return route;
  }

  /** The bay of a route at the warehouse, assigned when its first parcel is sorted. */
  async function bayOf({ business, warehouse, cause, commandId }: Scan, route: Route): Promise<string> {
    const command = { do: 'giveBay', id: warehouse.id, business, commandId, routeId: route.id } as const;
    const { reply } = await warehouses(warehouseStream(warehouse.id), { ...command, date: route.schedule_date }, cause);
    return reply!;
  }

  async function parcelChangeOf(scan: Scan): Promise<ParcelChange> {
    const { op } = scan;
    switch (op.do) {
      case 'put_away':
      case 'move':
        return { what: op.do, location: expectMember(op.location, 'location') };
      case 'quarantine':
        return {
          what: op.do,
          location: expectMember(op.location, 'location'),
          reason: expectMember(op.reason, 'reason'),
        };
      case 'sort': {
        const route = await routeOf(scan);
        return { what: 'sort', routeId: route.id, bay: await bayOf(scan, route) };
      }
      case 'load':
        return { what: 'load', routeId: (await loadedRouteOf(scan)).id };
      case 'count':
        throw new DomainError('NOT_FOR_THIS_THING');
      case 'stock_out':
      case 'missing':
        return { what: op.do };
      default:
        return { what: op.do, ...(op.location !== undefined && { location: op.location }) };
    }
  }

  async function codesOf(
    { op, business, warehouse }: Scan,
    ownWarehouse: number | null,
  ): Promise<Record<number, string>> {
    const ownCode = { [warehouse.id]: warehouse.code };
    if (op.do !== 'receive' || ownWarehouse === null || ownWarehouse === warehouse.id) return ownCode;
    return { ...ownCode, [ownWarehouse]: await codeOf(ownWarehouse, business) };
  }

  async function parcel(
    scan: Scan,
    { order_id, tracking_number, own_warehouse_id }: ParcelMatch,
  ): Promise<WrittenScan> {
    const { op, commandId, later, business, userId, driverId, warehouse, device_id, instant, cause } = scan;
    const change = await parcelChangeOf(scan);
    const { reply, changed, position } = await orders(
      orderStream(order_id),
      {
        do: 'handle',
        ...change,
        commandId,
        orderId: order_id,
        business,
        by: userId,
        tracking_number,
        occurred_at: op.at,
        instant,
        warehouse: warehouse.id,
        site: siteOf(warehouse),
        codes: await codesOf(scan, own_warehouse_id),
        scanner: { op_id: op.op_id, device_id },
        force: op.force,
        ...(later.length > 0 && { later }),
        ...(driverId !== undefined && { driverId }),
      },
      cause,
    );
    const ownWarehouse = reply.warehouse;
    const isMisplaced = change.what === 'receive' && ownWarehouse !== undefined && ownWarehouse !== warehouse.id;
    return {
      order_id,
      tracking_number,
      state: reply.parcels.get(tracking_number)?.state ?? 'expected',
      color: isMisplaced ? 'red' : changed ? 'green' : 'amber',
      lines: [
        ...(isMisplaced
          ? [{ code: 'BELONGS_ELSEWHERE' as const, params: { warehouse: await codeOf(ownWarehouse, business) } }]
          : []),
        ...(change.what === 'sort' ? [{ code: 'SAY_BAY' as const, params: { bay: change.bay } }] : []),
        ...(changed ? [] : [{ code: 'SAY_AGAIN' as const, params: {} }]),
      ],
      position,
    };
  }

  async function sku(scan: Scan, { sku, name, unit, barcodes }: StockRow): Promise<WrittenScan> {
    const { business, commandId, warehouse, cause } = scan;
    const id = stockId(warehouse.id, sku);
    const change = stockChangeOf(scan, { warehouse_id: warehouse.id, sku, name, unit, barcodes });
    const { position } = await stock(stockStream(id), { ...change, id, business, commandId }, cause);
    return { sku, color: 'green', lines: [], position };
  }

  /** The correct bay of a parcel that was scanned for the wrong route. */
  async function rightBay(scan: Scan, { route_id }: ParcelMatch): Promise<string | undefined> {
    const route = route_id === null ? undefined : await routes.byId(route_id, { business: scan.business });
    return route && bayOf(scan, route);
  }

  return { parcel, sku, rightBay };
}

function stockChangeOf({ op }: Scan, sku: Extract<StockChange, { do: 'receive' }>['sku']): StockChange {
  const quantity = expectMember(op.quantity, 'quantity');
  if (op.do !== 'count' && Number(quantity) === 0) throw new DomainError('SCAN_INCOMPLETE', { member: 'quantity' });
  const location = expectMember(op.location, 'location');
  switch (op.do) {
    case 'receive':
      return { do: 'receive', sku, location, quantity };
    case 'put_away':
    case 'move':
    case 'quarantine':
      return { do: 'move', from: expectMember(op.from_location, 'from_location'), to: location, quantity };
    case 'stock_out':
      return { do: 'pick', location, quantity };
    case 'count':
      return { do: 'count', location, counted: quantity };
    default:
      throw new DomainError('NOT_FOR_THIS_THING');
  }
}

/** The site for timelines: name and place of the warehouse, without the contact person. */
export const siteOf = ({ name, address: { city, region, country } = {} }: Warehouse): SiteOfScan => ({
  ...(name !== undefined && { name }),
  ...(city !== undefined && { city }),
  ...(region !== undefined && { region }),
  ...(country !== undefined && { country }),
});
