/** The map layer of the routes of a day: lines, or stops as points. It is never public. */
import type { Order, OrderQueries } from '../../../projections/orders/queries.js';
import type { Route, RouteQueries, RouteViewer } from '../../../projections/routes/queries.js';
import { statusRow, type StopKind } from '../../../events/orders/events.js';
import { feature, type Feature } from './feature.js';

export interface RouteSources {
  readonly routes: Pick<RouteQueries, 'list'>;
  readonly orders: Pick<OrderQueries, 'list'>;
}

const MAX_ROUTES = 500;
const PAGE = 1_000;
/** The kind of stop for each number in a planned sequence. */
const KINDS: readonly StopKind[] = ['pickup', 'delivery'];

interface MapStop {
  readonly order: Order;
  readonly kind: StopKind;
  readonly at: readonly [number, number];
}

/**
 * Returns at most `most` features, plus one more if there are more. `lines`: one line per route; else one point per
 * stop.
 */
export async function routeFeatures(
  { date, lines }: { readonly date: string; readonly lines: boolean },
  viewer: RouteViewer,
  { routes, orders }: RouteSources,
  limit: number,
): Promise<Feature[]> {
  const { routes: found } = await routes.list({ date, offset: 0, limit: MAX_ROUTES }, viewer);
  const ordersOfRoute = await ordersByRoute(found);
  return found.flatMap((route) => {
    const stops = stopsOf(route, ordersOfRoute.get(route.id) ?? []);
    const { id: route_id, name, status, driver_id, order_count } = route;
    if (lines)
      return stops.length < 2
        ? []
        : [
            feature(
              route_id,
              { type: 'LineString', coordinates: stops.map(({ at }) => at) },
              { route_id, name, status, driver_id, order_count },
            ),
          ];
    return stops.map(({ order, kind, at }, index) =>
      feature(
        order.id,
        { type: 'Point', coordinates: at },
        { route_id, order_id: order.id, kind, place: index + 1, order_status: order.status, over: isOver(order) },
      ),
    );
  });

  async function ordersByRoute(routesWithOrders: readonly Route[]): Promise<ReadonlyMap<number, Order[]>> {
    const byRoute = new Map<number, Order[]>();
    if (routesWithOrders.length === 0) return byRoute;
    const routeIds = routesWithOrders.map(({ id }) => id);
    for (let offset = 0; offset <= limit; offset += PAGE) {
      const page = await orders.list({ offset, limit: PAGE }, { business: viewer.business, routeIds });
      for (const order of page.orders) byRoute.set(order.route_id!, [...(byRoute.get(order.route_id!) ?? []), order]);
      if (offset + PAGE >= page.total) break;
    }
    return byRoute;
  }
}

/** Stops in the sequence of the last plan; unplanned stops come last. Stops without a position are omitted. */
function stopsOf({ planned }: Route, orders: readonly Order[]): MapStop[] {
  const places = new Map(planned?.stops.map(({ order_id, kind }, index) => [`${order_id} ${kind}`, index]));
  const afterPlanned = places.size;
  return orders
    .flatMap((order, index) =>
      KINDS.flatMap((kind, number) => {
        const position = order[kind]?.position;
        if (!position || (order.type !== 'P2P' && kind !== (order.type === 'P' ? 'pickup' : 'delivery'))) return [];
        const at: [number, number] = [position.longitude, position.latitude];
        const rank = places.get(`${order.id} ${number}`) ?? afterPlanned + 2 * index + number;
        return [{ order, kind, at, rank }];
      }),
    )
    .sort((a, b) => a.rank - b.rank);
}

const isOver = ({ status }: Order): boolean => statusRow(status).final;
