import { DRIVABLE, SOLVER_VERSION, type Drivable } from '../drivable.js';
import type { Matrix, Order, Problem, Resource, Visit, Weights } from '../problem.js';
import { weightsFor } from '../vehicle.js';
import { NEVER, drivesOf, type Drives } from './drives.js';

export { NEVER };

/** Kinds of orders by how their goods are transported. */
export const DELIVERY = 0;
export const PICKUP = 1;
export const TRANSFER = 2;

/**
 * The problem as the search reads it: typed arrays by node. The nodes are the visits of the orders, then the start and
 * the end of each resource. It is built once per search and never changes.
 */
export class Model {
  readonly problem: Problem;
  /** Number of visits. Node `visits + 2 r` is the start of resource r, the next node is its end. */
  readonly visits: number;
  readonly nodes: number;
  /**
   * Number of places plus one. All drives from and to the additional place are free: it is the end of an open route.
   */
  readonly size: number;

  /** Drives for comparisons without a known resource. */
  readonly usual: Drives;
  /** By resource: drives with its speed and weights. Resources of the same kind share one object. */
  readonly ways: readonly Drives[];
  readonly weights: readonly Weights[];
  readonly metres: Int32Array;

  readonly place: Int32Array;
  readonly service: Int32Array;
  /** Start and end of the only window; with several windows, start of the first window and end of the last window. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Null if there is only one window. */
  readonly windows: (readonly (readonly [number, number])[] | null)[];
  readonly rank: Int32Array;
  readonly order: Int32Array;
  /** The other visit of a transfer, or else -1. */
  readonly mate: Int32Array;
  /** DELIVERY, PICKUP or TRANSFER, by order. */
  readonly kind: Uint8Array;
  /** By order: its first visit. */
  readonly first: Int32Array;
  readonly load: Int32Array;
  /** By order and class of resources. */
  readonly allowed: Uint8Array;
  readonly fixed: Int32Array;
  readonly penalty: Float64Array;

  /** Identical resources have the same class. */
  readonly classOf: Int32Array;
  readonly classes: number;
  /** Maximum number of pauses of a resource plus one: the stride of arrays of times by pauses taken. */
  readonly labels: number;
  /** By resource: needs an exact simulation in addition to the times stored by node. */
  readonly simulated: Uint8Array;

  /** Check of the selected solver version. */
  readonly isDrivable: Drivable;

  constructor(problem: Problem, matrix: Matrix, version = SOLVER_VERSION) {
    this.problem = problem;
    this.isDrivable = DRIVABLE.get(version)!;
    const { orders, resources } = problem;
    this.size = matrix.size + 1;
    const { usual, byResource, highestCost: dearest } = drivesOf(problem, matrix, this.size);
    this.usual = usual;
    this.ways = byResource;
    this.weights = resources.map((resource) => weightsFor(problem, resource));
    this.metres = new Int32Array(this.size ** 2);
    for (let from = 0; from < matrix.size; from += 1)
      this.metres.set(matrix.distance.subarray(from * matrix.size, (from + 1) * matrix.size), from * this.size);

    this.visits = orders.reduce((sum, order) => sum + (order.pickup ? 1 : 0) + (order.delivery ? 1 : 0), 0);
    this.nodes = this.visits + 2 * resources.length;
    this.place = new Int32Array(this.nodes);
    this.service = new Int32Array(this.nodes);
    this.from = new Int32Array(this.nodes);
    this.to = new Int32Array(this.nodes).fill(NEVER);
    this.windows = new Array<readonly (readonly [number, number])[] | null>(this.nodes).fill(null);
    this.rank = new Int32Array(this.nodes);
    this.order = new Int32Array(this.nodes).fill(-1);
    this.mate = new Int32Array(this.nodes).fill(-1);
    this.kind = new Uint8Array(orders.length);
    this.first = new Int32Array(orders.length);
    this.load = new Int32Array(orders.length * problem.capacities);
    this.fixed = new Int32Array(orders.length).fill(-1);
    this.penalty = new Float64Array(orders.length);
    const opening = Math.max(problem.weights.perRoute, ...this.weights.map(({ perRoute }) => perRoute));
    this.fillOrders(orders, 10 * dearest + 2 * opening + 1);
    resources.forEach((resource, index) => {
      this.place[this.start(index)] = resource.start;
      this.place[this.end(index)] = resource.end ?? matrix.size;
    });

    const names = resources.map((resource) => JSON.stringify(resource));
    const distinct = [...new Set(names)];
    this.classOf = Int32Array.from(names, (name) => distinct.indexOf(name));
    this.classes = distinct.length;
    this.labels = 1 + Math.max(0, ...resources.map((resource) => resource.breaks.length));
    this.simulated = Uint8Array.from(resources, (resource) => (needsSimulation(resource) ? 1 : 0));
    const examples = distinct.map((name) => resources[names.indexOf(name)]!);
    this.allowed = new Uint8Array(orders.length * this.classes);
    orders.forEach((order, index) =>
      examples.forEach((resource, kind) => {
        this.allowed[index * this.classes + kind] = mayDo(order, resource) ? 1 : 0;
      }),
    );
  }

  start(resource: number): number {
    return this.visits + 2 * resource;
  }

  end(resource: number): number {
    return this.visits + 2 * resource + 1;
  }

  /** The visit of a node. */
  visitOf(node: number): Visit {
    const order = this.problem.orders[this.order[node]!]!;
    return (this.first[this.order[node]!] === node ? (order.pickup ?? order.delivery) : order.delivery)!;
  }

  private fillOrders(orders: readonly Order[], penalty: number): void {
    const { capacities } = this.problem;
    let node = 0;
    orders.forEach((order, index) => {
      this.kind[index] = order.pickup && order.delivery ? TRANSFER : order.pickup ? PICKUP : DELIVERY;
      this.first[index] = node;
      if (this.kind[index] === TRANSFER) {
        this.mate[node] = node + 1;
        this.mate[node + 1] = node;
      }
      for (const visit of [order.pickup, order.delivery]) if (visit) this.fillVisit(node++, index, visit);
      for (let type = 0; type < capacities; type += 1) this.load[index * capacities + type] = order.size[type]!;
      this.fixed[index] = order.resource ?? -1;
      this.penalty[index] = penalty * (order.priority + 1);
    });
  }

  private fillVisit(node: number, order: number, visit: Visit): void {
    this.place[node] = visit.place;
    this.service[node] = visit.service;
    this.from[node] = visit.windows[0]![0];
    this.to[node] = visit.windows.at(-1)![1];
    if (visit.windows.length > 1) this.windows[node] = visit.windows;
    this.rank[node] = visit.rank ?? 0;
    this.order[node] = order;
  }
}

/** Returns whether the resource can do the order, ignoring times and roads. */
export function mayDo(order: Order, resource: Resource): boolean {
  if (order.skills.some((skill) => !resource.skills.includes(skill))) return false;
  if (order.size.some((size, type) => size > resource.capacity[type]!)) return false;
  if (order.warehouse === undefined) return true;
  if (!order.pickup) return resource.start === order.warehouse;
  return !!order.delivery || resource.end === order.warehouse;
}

function needsSimulation(resource: Resource): boolean {
  const { driveBreak, maxDuration, shift } = resource;
  return driveBreak !== undefined || (maxDuration !== undefined && maxDuration < shift[1] - shift[0]);
}
