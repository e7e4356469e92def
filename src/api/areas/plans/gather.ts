/** Reads the input of a plan: available orders with their positions, and drivers. */
import type { Order } from '../../../projections/orders/queries.js';
import { statusRow, type Stop } from '../../../events/orders/events.js';
import type { Position } from '../../../solvers/distances/distances.js';
import { ApiError } from '../../core/errors.js';
import type { Parts } from '../../core/parts.js';
import { isLocated, type Geocode } from '../datasets/geocode.js';
import { driversOf, tooLarge, type DriversOptions } from './drivers.js';
import { CAPACITIES, NO_LIMIT } from './capacities.js';
import { positionOf, sizesOf, STOPS_OF, type OrderOfDay, type Planner } from './planning-data.js';
import type { PlanInput } from './problem.js';
import { PLAN_LIMITS, type PlanRequest } from './request.js';
import { dayOf, unfinishedOrdersOf, routesOf, loadExistingRoutes } from './existing-routes.js';

export interface GatherOptions extends DriversOptions, Parts<'orders' | 'routes' | 'settings' | 'now'> {
  /** Finds coordinates of stops that have none. */
  readonly geocode: Geocode;
}

/** An order that is excluded from planning. */
export interface Excluded {
  readonly order_id: number;
  /** The route on which the order stays. */
  readonly route_id?: number;
  readonly reasons: { readonly code: string; readonly params?: Record<string, string | number> }[];
}

export interface Gathered {
  readonly input: PlanInput;
  readonly excluded: readonly Excluded[];
}

export interface Gather {
  (request: PlanRequest & { readonly date: string }, planner: Planner): Promise<Gathered>;
  /** Throws for an unknown route, driver, fleet or start, and if there is no driver. */
  readonly check: (request: PlanRequest & { readonly date: string }, planner: Planner) => Promise<void>;
  /** The date of the routes that are replanned; undefined if there are none. */
  readonly dayOf: (request: PlanRequest, planner: Planner) => Promise<string | undefined>;
}

const PAGE = 1_000;
/** Maximum number of excluded orders that are reported although the request did not name them. */
const MAX_KEPT_BACK = 200;

export function createGather(options: GatherOptions): Gather {
  const { orders, planning, settings: settingsOf } = options;

  /** Ids of the orders that match the filters of the request and that the planner may plan. */
  async function pool(request: PlanRequest & { date: string }, planner: Planner): Promise<number[]> {
    const { order_ids } = request;
    const { business, brokerId } = planner;
    const contractor = brokerId !== undefined && { id: brokerId, rules: await planning.rulesOf(brokerId, business) };
    const found: number[] = [];
    // Orders that the request names may have any date.
    for (let at = 0; order_ids && at < order_ids.length; at += PAGE) {
      const ids = order_ids.slice(at, at + PAGE);
      const named = { business, ...(contractor && { contractor }), ids };
      found.push(...(await planning.pool(named, { offset: 0, limit: PAGE })).orders.map(({ id }) => id));
    }
    if (order_ids) return found;
    for (let offset = 0; ; offset += PAGE) {
      const page = await planning.pool({ business, ...(contractor && { contractor }) }, { offset, limit: PAGE });
      found.push(...page.orders.filter((order) => matchesRequest(order, request)).map(({ id }) => id));
      if (offset + PAGE >= page.total || found.length > PLAN_LIMITS.orders) return found;
    }
  }

  /**
   * The first orders that match the filters of the request but are kept from planning by a decision, for example a
   * hold.
   */
  async function keptBack(request: PlanRequest & { date: string }, { business }: Planner): Promise<number[]> {
    const found: number[] = [];
    for (let offset = 0; found.length < MAX_KEPT_BACK; offset += PAGE) {
      const page = await planning.keptBack(business, { offset, limit: PAGE });
      found.push(...page.filter((order) => matchesRequest(order, request)).map(({ id }) => id));
      if (page.length < PAGE) break;
    }
    return found.slice(0, MAX_KEPT_BACK);
  }

  async function loadOrders(ids: readonly number[], business: number): Promise<Order[]> {
    const all: Order[] = [];
    for (let at = 0; at < ids.length; at += PAGE) {
      const chunk = ids.slice(at, at + PAGE);
      all.push(...(await orders.list({ ids: chunk, offset: 0, limit: PAGE }, { business })).orders);
    }
    const byId = new Map(all.map((order) => [order.id, order]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async function resources(request: PlanRequest & { readonly date: string }, planner: Planner) {
    const settings = await settingsOf.settingsOf(planner.business);
    const routes = await routesOf(options.routes, request, planner);
    const existingRoutes = await loadExistingRoutes(orders, routes, planner.business);
    const { drivers, depot } = await driversOf(options, request, settings, planner, existingRoutes);
    if (drivers.length === 0) throw new ApiError('NOTHING_TO_PLAN');
    return { settings, existingRoutes, drivers, depot };
  }

  const gather = async (request: PlanRequest & { readonly date: string }, planner: Planner): Promise<Gathered> => {
    const { business, brokerId, timezone } = planner;
    const { settings, existingRoutes, drivers, depot } = await resources(request, planner);
    const onRoutes = existingRoutes.flatMap((route) => unfinishedOrdersOf(route, request));

    // Contractors may plan only orders of their pool. For a business, the reasons of other orders are reported.
    const requestedIds = request.order_ids ?? (request.mode === 'reoptimize' && !request.pool ? [] : undefined);
    const mayBePlanned = new Set(requestedIds && brokerId === undefined ? [] : await pool(request, planner));
    // A business also sees orders that are kept from planning. A contractor does not see other orders.
    const keptBackIds = requestedIds || brokerId !== undefined ? [] : await keptBack(request, planner);
    const candidateIds = requestedIds ?? [...mayBePlanned];
    const idsOnRoutes = new Set(onRoutes.map(({ orderId }) => orderId));
    const newIds = candidateIds.filter((id) => !idsOnRoutes.has(id));
    if (newIds.length + onRoutes.length > PLAN_LIMITS.orders) throw tooLarge();
    const excluded: Excluded[] = [];
    const routeByOrder = new Map(onRoutes.map(({ orderId, routeId }) => [orderId, routeId]));
    const exclude = (order_id: number, code: string, params?: Record<string, string | number>): void => {
      const route_id = routeByOrder.get(order_id);
      const reasons = [{ code, ...(params && { params }) }];
      excluded.push({ order_id, reasons, ...(route_id !== undefined && { route_id }) });
    };

    const candidates = await loadOrders([...newIds, ...keptBackIds.filter((id) => !mayBePlanned.has(id))], business);
    const foundIds = new Set(candidates.map(({ id }) => id));
    for (const id of newIds) if (!foundIds.has(id)) exclude(id, 'ORDER_NOT_FOUND');
    const eligible = candidates.flatMap((order) => {
      const exclusionCode =
        brokerId === undefined ? exclusionCodeOf(order) : mayBePlanned.has(order.id) ? undefined : 'ORDER_NOT_FOUND';
      if (exclusionCode) exclude(order.id, exclusionCode);
      return exclusionCode ? [] : [{ orderId: order.id, order, inHand: false }];
    });
    const planned: OrderOfDay[] = [];
    const warehousePositions = await warehousesOf(options, business, [...onRoutes, ...eligible]);
    const driverIds = new Set(drivers.map(({ driverId }) => driverId));
    for (const one of await located(options.geocode, business, [...onRoutes, ...eligible])) {
      const { order, driverId } = one as OrderOfDay;
      const loaded = order.type === 'D' && existingRoutes.some(({ underWay }) => underWay) ? depot : undefined;
      const warehouse =
        order.type === 'P2P'
          ? undefined
          : order.warehouse_id === null
            ? loaded
            : warehousePositions.get(order.warehouse_id);
      const type = exceededCapacity(order, request.capacity_types);
      if (Object.values(one.at).includes(undefined)) exclude(one.orderId, 'NOT_GEOCODED');
      else if (type) exclude(one.orderId, 'EXCEEDS_CAPACITY', { type });
      else if (warehouse === null && driverId === undefined) exclude(one.orderId, 'WAREHOUSE_MISMATCH');
      else if (driverId !== undefined && !driverIds.has(driverId)) exclude(one.orderId, 'OTHER_DRIVER');
      else planned.push({ ...(one as OrderOfDay), ...(warehouse && driverId === undefined && { warehouse }) });
    }
    const done = new Map(existingRoutes.map(({ route, done }) => [route.id, done]));
    return { input: { date: request.date, timezone, request, settings, orders: planned, drivers, done }, excluded };
  };
  return Object.assign(gather, {
    check: async (request: PlanRequest & { readonly date: string }, planner: Planner) =>
      void (await resources(request, planner)),
    dayOf: (request: PlanRequest, planner: Planner) => dayOf(options.routes, request, planner),
  });
}

/** Positions of the orders' warehouses; null: unknown. */
async function warehousesOf(
  { warehouses }: Pick<GatherOptions, 'warehouses'>,
  business: number,
  orders: readonly { readonly order: Order }[],
): Promise<ReadonlyMap<number, Position | null>> {
  const ids = [...new Set(orders.flatMap(({ order }) => order.warehouse_id ?? []))];
  return new Map(
    await Promise.all(
      ids.map(
        async (id) =>
          [id, positionOf((await warehouses.byId(id, business))?.address as Stop | undefined) ?? null] as const,
      ),
    ),
  );
}

/** Positions of the stops: from the order, else from the business's datasets of places or a geocoder. */
async function located<One extends { readonly order: Order }>(
  geocode: Geocode,
  business: number,
  orders: readonly One[],
) {
  const stops = orders.flatMap(({ order }, index) =>
    STOPS_OF[order.type].map((kind) => ({ index, kind, stop: order[kind] })),
  );
  const unknown = stops.filter(({ stop }) => stop && !positionOf(stop));
  const found = await geocode(
    business,
    unknown.map(({ stop }) => stop!),
    { bulk: true },
  );
  const places = new Map(
    unknown.flatMap((stop, at) => {
      const location = found[at];
      return isLocated(location) ? [[stop, { position: location.position, located: location }] as const] : [];
    }),
  );
  const all = orders.map((one) => ({ ...one, at: {} as Record<string, Position | undefined> }));
  for (const entry of stops) all[entry.index]!.at[entry.kind] = positionOf(entry.stop) ?? positionOf(places.get(entry));
  return all;
}

/** Whether an available order matches the request. */
function matchesRequest(
  order: Pick<Order, 'schedule_date' | 'type' | 'pickup_postal_code' | 'delivery_postal_code'>,
  { date, pool = 'due', order_types, postal_prefixes }: PlanRequest & { date: string },
): boolean {
  const { schedule_date: day, type } = order;
  if (pool === 'date' && day !== date) return false;
  if (pool === 'due' && day !== null && day > date) return false;
  if (order_types && !order_types.includes(type)) return false;
  const area = (type === 'P' ? order.pickup_postal_code : order.delivery_postal_code) ?? '';
  const compact = area.replace(/\s/g, '').toUpperCase();
  return (
    !postal_prefixes || postal_prefixes.some((prefix) => compact.startsWith(prefix.replace(/\s/g, '').toUpperCase()))
  );
}

/** The first capacity in which the order exceeds any vehicle; undefined: none. */
function exceededCapacity(order: Order, types: readonly string[] = CAPACITIES.map(({ id }) => id)): string | undefined {
  const sizes = sizesOf(order);
  return CAPACITIES.map(({ id }) => id).find((id) => types.includes(id) && sizes[id] > NO_LIMIT);
}

/** The reason why an order of the business cannot be planned, found without a command. */
function exclusionCodeOf(order: Order): string | undefined {
  if (order.status === 'HOLD') return 'ORDER_HELD';
  if (order.route_id !== null) return 'ORDER_ON_ROUTE';
  if (order.broker_id !== null) return 'ASSIGNED_TO_CONTRACTOR';
  if (order.third_party !== null) return 'HELD_BY_THIRD_PARTY';
  if (order.offered_until !== null) return 'OFFERED_TO_THIRD_PARTY';
  if (!order.self_delivery) return 'NOT_SELF_DELIVERY';
  return statusRow(order.status).dispatchable ? undefined : 'NOT_DISPATCHABLE';
}
