import { hindranceAlone, reasonAlone, type Hindrance } from './alone.js';
import type { Matrix, Order, Problem, Resource, Route, Solution, Visit } from './problem.js';
import { Insertion } from './search/insertion.js';
import { Model, TRANSFER } from './search/model.js';
import { State } from './search/state.js';

/** What it takes to put an order on one route: its cost, or what is in the way and by how much. */
export type Way =
  | { readonly resource: number; readonly cost: number }
  | ({
      readonly resource: number;
      /** Seconds late, metres or units of a capacity too many. */ readonly by?: number;
    } & Hindrance);

export interface Reason {
  readonly code: Hindrance['code'] | 'NO_ROOM' | 'LOWER_PRIORITY';
  readonly type?: number;
  /** Of NO_ROOM: for each resource what is in the way. */
  readonly ways?: readonly Way[];
}

/** Why orders are on no route, or how dear it is to put one on another: one small problem for each route and order. */
export class Explanation {
  private readonly routes: ReadonlyMap<number, Route>;

  constructor(
    private readonly problem: Problem,
    private readonly matrix: Matrix,
    private readonly solution: Solution,
  ) {
    this.routes = new Map(solution.routes.map((route) => [route.resource, route]));
  }

  /** At least one reason for an order that is on no route; `each`: with what is in the way on every route. */
  reasons(order: number, each = true): Reason[] {
    const alone = reasonAlone(this.problem, this.matrix, order);
    if (alone) return [alone];
    const found: Reason[] = [{ code: 'NO_ROOM', ...(each && { ways: this.ways(order) }) }];
    const { priority } = this.problem.orders[order]!;
    const higher = this.solution.routes.some(({ stops }) =>
      stops.some(([other]) => this.problem.orders[other]!.priority > priority),
    );
    return higher ? [...found, { code: 'LOWER_PRIORITY' }] : found;
  }

  /** For every resource what the order would cost there, or what is in the way; `exact` says by how much, too. */
  ways(order: number, exact = false): Way[] {
    return [...this.problem.resources.keys()].map((resource) => this.way(order, resource, exact));
  }

  private way(index: number, resource: number, exact: boolean): Way {
    const order = this.problem.orders[index]!;
    if (order.resource !== undefined && order.resource !== resource) return { resource, code: 'OTHER_DRIVER' };
    const alone = hindranceAlone(order, this.problem.resources[resource]!, this.matrix);
    if (alone && STATIC.has(alone.code)) return { resource, ...alone };
    const small = smallProblem(this.problem, this.matrix, this.routes.get(resource), resource, index);
    const cost = small.cost();
    if (cost !== null) return { resource, cost };
    if (alone) return { resource, ...alone };
    for (const { code, type, change } of relaxations(this.problem.capacities)) {
      if (small.cost(change, MOST) === null) continue;
      return { resource, code, ...(type === undefined ? {} : { type }), ...(exact ? { by: small.least(change) } : {}) };
    }
    return { resource, code: 'OUT_OF_HOURS' };
  }
}

/** What keeps an order off a route whatever else is on it. The others may be helped by a stop on the way. */
const STATIC = new Set<Hindrance['code']>(['SKILL_MISSING', 'EXCEEDS_CAPACITY', 'WAREHOUSE_MISMATCH']);

/** A limit made wider by some units. */
type Change = (resource: Resource, orders: readonly Order[], by: number) => [Resource, readonly Order[]];

/** More than any limit is ever passed by. */
const MOST = 2 ** 26;

function relaxations(capacities: number): { code: Hindrance['code']; type?: number; change: Change }[] {
  const wider = (name: 'maxStops' | 'maxDistance' | 'maxDuration'): Change => {
    return (resource, orders, by) => {
      const limit = resource[name];
      return [limit === undefined ? resource : { ...resource, [name]: limit + by }, orders];
    };
  };
  const loads = Array.from({ length: capacities }, (_, type) => ({
    code: 'EXCEEDS_CAPACITY' as const,
    type,
    change: ((resource, orders, by) => {
      const capacity = resource.capacity.map((limit, index) => (index === type ? limit + by : limit));
      return [{ ...resource, capacity }, orders];
    }) satisfies Change,
  }));
  const later = (visit: Visit | undefined, by: number): Visit | undefined => {
    if (!visit) return visit;
    const [from] = visit.windows[0]!;
    return { ...visit, windows: by === 0 ? visit.windows : [[from, visit.windows.at(-1)![1] + by]] };
  };
  const hours: Change = (resource, orders, by) => [
    { ...resource, shift: [resource.shift[0], resource.shift[1] + by] },
    orders.map((order) => ({ ...order, pickup: later(order.pickup, by), delivery: later(order.delivery, by) })),
  ];
  return [
    ...loads,
    { code: 'TOO_MANY_STOPS', change: wider('maxStops') },
    { code: 'TOO_FAR', change: wider('maxDistance') },
    { code: 'TOO_LONG', change: wider('maxDuration') },
    { code: 'OUT_OF_HOURS', change: hours },
  ];
}

/** One route and one order more, with only the places they need. */
function smallProblem(problem: Problem, matrix: Matrix, route: Route | undefined, resource: number, added: number) {
  const stops = route?.stops ?? [];
  const indices = [...new Set([...stops.map(([order]) => order), added])];
  const driver = problem.resources[resource]!;
  const visits = indices.flatMap((index) => [problem.orders[index]!.pickup, problem.orders[index]!.delivery]);
  const places = [...new Set([driver.start, driver.end, ...visits.map((visit) => visit?.place)])].filter(
    (place) => place !== null && place !== undefined,
  );
  const at = new Map(places.map((place, position) => [place, position]));
  const moved = (visit: Visit | undefined): Visit | undefined => visit && { ...visit, place: at.get(visit.place)! };
  const orders = indices.map((index): Order => {
    const order = problem.orders[index]!;
    return {
      ...order,
      resource: undefined,
      warehouse: undefined,
      pickup: moved(order.pickup),
      delivery: moved(order.delivery),
    };
  });
  const small: Resource = {
    ...driver,
    start: at.get(driver.start)!,
    end: driver.end === null ? null : at.get(driver.end)!,
  };
  const cells = places.flatMap((from) => places.map((to) => from * matrix.size + to));
  const ways: Matrix = {
    size: places.length,
    distance: Int32Array.from(cells, (cell) => matrix.distance[cell]!),
    duration: Int32Array.from(cells, (cell) => matrix.duration[cell]!),
  };
  const cost = (change?: Change, by = 0): number | null => {
    const [wide, easy] = change ? change(small, orders, by) : [small, orders];
    const model = new Model({ ...problem, places: places.length, orders: easy, resources: [wide] }, ways);
    const state = new State(model);
    let after = model.start(0);
    for (const [order, kind] of stops) {
      const local = indices.indexOf(order);
      const node = model.first[local]! + (model.kind[local] === TRANSFER ? kind : 0);
      state.link(node, after, 0);
      after = node;
    }
    state.refresh(0);
    const insertion = new Insertion(state, ways, null);
    insertion.scan(indices.length - 1, 0);
    return insertion.resource < 0 ? null : insertion.cost;
  };
  /** The least widening with which it fits. */
  const least = (change: Change): number => {
    let low = 1;
    let high = MOST;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (cost(change, middle) === null) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { cost, least };
}
