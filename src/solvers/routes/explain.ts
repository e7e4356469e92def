import { infeasibilityOf, reasonForAll, type Infeasibility } from './feasibility.js';
import { planOf } from './plan.js';
import type { Matrix, Order, Problem, Resource, Route, Solution, Stop, Visit } from './problem.js';
import { Insertion } from './search/insertion.js';
import { DELIVERY, Model, TRANSFER } from './search/model.js';
import { State } from './search/state.js';
import { secondsAt } from './vehicle.js';

/** The result of adding an order to one route: the added cost, or the reason why it is impossible and by how much. */
export type InsertionOption =
  | {
      readonly resource: number;
      readonly cost: number;
      /** Only for exact requests: metres and seconds of driving that the order adds. */
      readonly detour?: { readonly metres: number; readonly seconds: number };
    }
  | ({
      readonly resource: number;
      /** Excess: seconds late, metres, or units of a capacity. */ readonly by?: number;
      /** The order whose stop would be the first one too late; absent if the end of the shift is the limit. */
      readonly order?: number;
    } & Infeasibility);

export interface Reason {
  readonly code: Infeasibility['code'] | 'NO_ROOM' | 'LOWER_PRIORITY';
  readonly type?: number;
  /** For NO_ROOM: the reason for each resource. */
  readonly ways?: readonly InsertionOption[];
}

/**
 * Explains why orders are on no route, and what it costs to move an order to another route. It solves one small problem
 * for each pair of route and order.
 */
export class Explanation {
  private readonly routes: ReadonlyMap<number, Route>;

  constructor(
    private readonly problem: Problem,
    private readonly matrix: Matrix,
    private readonly solution: Solution,
  ) {
    this.routes = new Map(solution.routes.map((route) => [route.resource, route]));
  }

  /** Returns at least one reason for an order that is on no route. `each` adds the reason for every route. */
  reasons(order: number, each = true): Reason[] {
    const alone = reasonForAll(this.problem, this.matrix, order);
    if (alone) return [alone];
    const found: Reason[] = [{ code: 'NO_ROOM', ...(each && { ways: this.ways(order) }) }];
    const { priority } = this.problem.orders[order]!;
    const higher = this.solution.routes.some(({ stops }) =>
      stops.some(([other]) => this.problem.orders[other]!.priority > priority),
    );
    return higher ? [...found, { code: 'LOWER_PRIORITY' }] : found;
  }

  /**
   * Returns, for every resource, the cost of the order there or the reason against it. `exact` adds the detour and the
   * excess.
   */
  ways(order: number, exact = false): InsertionOption[] {
    return [...this.problem.resources.keys()].map((resource) => this.way(order, resource, exact));
  }

  private way(index: number, resource: number, exact: boolean): InsertionOption {
    const order = this.problem.orders[index]!;
    if (order.resource !== undefined && order.resource !== resource) return { resource, code: 'OTHER_DRIVER' };
    const alone = infeasibilityOf(order, this.problem.resources[resource]!, this.matrix);
    if (alone && STATIC.has(alone.code)) return { resource, ...alone };
    const small = smallProblem(this.problem, this.matrix, this.routes.get(resource), resource, index);
    const cost = small.cost();
    if (cost !== null) return { resource, cost, ...(exact && { detour: small.detour() }) };
    if (alone && !exact) return { resource, ...alone };
    const asked = relaxations(this.problem.capacities).filter(({ code }) => !alone || code === alone.code);
    for (const { code, type, change } of asked) {
      if (small.cost(change, MAX_CELLS) === null) continue;
      const by = exact ? small.least(change) : undefined;
      const late = by !== undefined && code === 'OUT_OF_HOURS' ? small.late(change, by) : undefined;
      return {
        resource,
        code,
        ...(type !== undefined && { type }),
        ...(by !== undefined && { by }),
        ...(late !== undefined && { order: late }),
      };
    }
    return { resource, ...(alone ?? { code: 'OUT_OF_HOURS' }) };
  }
}

/**
 * Reasons that hold independently of the other stops of a route. Another stop on the route can remove the other
 * reasons.
 */
const STATIC = new Set<Infeasibility['code']>(['SKILL_MISSING', 'EXCEEDS_CAPACITY', 'WAREHOUSE_MISMATCH']);

/** Widens a limit by some units. */
type Change = (resource: Resource, orders: readonly Order[], by: number) => [Resource, readonly Order[]];

/** Greater than any possible excess over a limit. */
const MAX_CELLS = 2 ** 26;

function relaxations(capacities: number): { code: Infeasibility['code']; type?: number; change: Change }[] {
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

/** A problem with one route and one additional order, and only the places that they need. */
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
  const smallMatrix: Matrix = {
    size: places.length,
    distance: Int32Array.from(cells, (cell) => matrix.distance[cell]!),
    duration: Int32Array.from(cells, (cell) => matrix.duration[cell]!),
  };
  /** Builds the current route and searches for the cheapest position of the order on it. */
  const searched = (change?: Change, by = 0) => {
    const [wide, easy] = change ? change(small, orders, by) : [small, orders];
    const asked: Problem = { ...problem, places: places.length, orders: easy, resources: [wide] };
    const model = new Model(asked, smallMatrix);
    const state = new State(model);
    let after = model.start(0);
    for (const [order, kind] of stops) {
      const local = indices.indexOf(order);
      const node = model.first[local]! + (model.kind[local] === TRANSFER ? kind : 0);
      state.link(node, after, 0);
      after = node;
    }
    state.refresh(0);
    const insertion = new Insertion(state, smallMatrix, null);
    insertion.scan(indices.length - 1, 0);
    return { asked, model, state, insertion };
  };
  const cost = (change?: Change, by = 0): number | null => {
    const { insertion } = searched(change, by);
    return insertion.resource < 0 ? null : insertion.cost;
  };
  /** Returns the route with the order at its cheapest position, which must exist. */
  const cheapest = (change?: Change, by = 0) => {
    const { asked, model, state, insertion } = searched(change, by);
    insertion.apply(indices.length - 1);
    const sequence: Stop[] = [];
    for (let node = state.next[model.start(0)]!; node !== model.end(0); node = state.next[node]!) {
      const order = model.order[node]!;
      const isFirst = node === model.first[order];
      sequence.push([order, isFirst && model.kind[order] !== DELIVERY ? 0 : 1]);
    }
    return { asked, sequence };
  };
  const lengthOf = (sequence: readonly Stop[]): { readonly metres: number; readonly seconds: number } => {
    const visited = sequence.map(([order, kind]) => orders[order]![kind === 0 ? 'pickup' : 'delivery']!.place);
    const way = visited.length === 0 ? [] : [small.start, ...visited, ...(small.end === null ? [] : [small.end])];
    const passed = way.slice(1).map((place, at) => way[at]! * smallMatrix.size + place);
    return {
      metres: passed.reduce((sum, cell) => sum + smallMatrix.distance[cell]!, 0),
      seconds: passed.reduce((sum, cell) => sum + secondsAt(small.speed, smallMatrix.duration[cell]!), 0),
    };
  };
  /** Returns the driving that the order adds. The route without the order does not have to be feasible in time. */
  const detour = (): { readonly metres: number; readonly seconds: number } => {
    const before = lengthOf(stops.map(([order, kind]): Stop => [indices.indexOf(order), kind]));
    const after = lengthOf(cheapest().sequence);
    return { metres: after.metres - before.metres, seconds: after.seconds - before.seconds };
  };
  /** Returns the order whose stop starts outside its own windows if all windows are widened by `by`. */
  const late = (change: Change, by: number): number | undefined => {
    const { asked, sequence } = cheapest(change, by);
    const { routes } = planOf(asked, smallMatrix, { routes: [{ resource: 0, stops: sequence }], unassigned: [] });
    const found = routes[0]!.stops.find(({ order, kind, start }) => {
      const visit = order === null || kind === 'break' ? undefined : orders[order]![kind];
      return visit && !visit.windows.some(([from, to]) => from <= start && start <= to);
    });
    return found && indices[found.order!];
  };
  /** Returns the smallest widening with which the order fits. */
  const least = (change: Change): number => {
    let low = 1;
    let high = MAX_CELLS;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (cost(change, middle) === null) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return { cost, least, detour, late };
}
