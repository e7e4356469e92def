import { exponential, naturalLog } from '../exact-math.js';
import type { Matrix, Problem, Solution } from '../problem.js';
import { Random } from '../random.js';
import { Blink } from './blink.js';
import { Evenness } from './evenness.js';
import { Incumbent } from './incumbent.js';
import { Insertion } from './insertion.js';
import { Model, TRANSFER } from './model.js';
import { absentOrder } from './order.js';
import { Neighbours, Ruin } from './ruin.js';
import { State } from './state.js';
import { Undo } from './undo.js';

/** Start and end temperature, in average costs of a drive. */
const HOT = 10;
const COLD = 0.03;
/**
 * With at most this many resources, an order is tried on every route; otherwise only on the routes of its neighbours.
 */
const ALL_ROUTES = 30;
const NEAR = 40;
/** Iterations between two checks of the clock and of stop requests. */
const GLANCE = 16;

/** A part of the search. The temperature falls from `from` to `to` during its iterations: 0 is hot, 1 is cold. */
export interface Leg {
  readonly iterations: number;
  /** Stops after this many iterations, with the same cooling. Used to repeat a leg that was stopped early. */
  readonly only?: number;
  readonly from: number;
  readonly to: number;
}

/** Ruin and recreate with simulated annealing. The same seed and the same legs give the same plan. */
export class Search {
  private readonly model: Model;
  private readonly state: State;
  private readonly insertion: Insertion;
  private readonly ruin: Ruin;
  private readonly undo: Undo;
  private readonly random: Random;
  private readonly near: Neighbours;
  private readonly asked: Int32Array;
  private asking = 0;
  private current = 0;
  private readonly best: Incumbent;
  private readonly heat: number;
  private readonly balance: Evenness | null;

  constructor(
    problem: Problem,
    private readonly matrix: Matrix,
    seed: number,
    worker = 0,
    version?: number,
  ) {
    this.model = new Model(problem, matrix, version);
    this.state = new State(this.model);
    this.random = new Random(seed, worker);
    this.near = new Neighbours(this.model);
    this.insertion = new Insertion(this.state, matrix, new Blink(this.random));
    this.undo = new Undo(this.state);
    this.ruin = new Ruin(
      this.state,
      this.near,
      this.random,
      (resource) => this.undo.save(resource),
      (resource) => this.holds(resource),
    );
    this.asked = new Int32Array(problem.resources.length).fill(-1);
    this.best = new Incumbent(this.state);
    this.balance = problem.balance && problem.balance.strength > 0 ? new Evenness(this.state) : null;
    for (let order = 0; order < problem.orders.length; order += 1) this.ruin.add(order);
    this.recreate();
    this.current = this.objective();
    this.heat = this.meanWay();
    this.keep();
  }

  /** Cost of the best plan so far, including penalties of unassigned orders and balance. */
  get cost(): number {
    return this.best.cost;
  }

  /** The best plan so far. */
  get solution(): Solution {
    return this.best.solution;
  }

  /** Returns the number of completed iterations, which is smaller than requested if `stopped` returned true. */
  run(leg: Leg, stopped: () => boolean = () => false): number {
    const { undo, ruin, random } = this;
    const { iterations } = leg;
    const most = leg.only ?? iterations;
    if (this.model.visits === 0) return most;
    let temperature = this.heat * HOT * exponential(naturalLog(COLD / HOT) * leg.from);
    const cooling = exponential((naturalLog(COLD / HOT) * (leg.to - leg.from)) / Math.max(1, iterations));
    for (let done = 0; done < most; done += 1) {
      if (done % GLANCE === 0 && done > 0 && stopped()) return done;
      undo.begin(ruin);
      ruin.run();
      this.recreate();
      const cost = this.objective();
      if (cost < this.current - temperature * naturalLog(1 - random.unit())) {
        this.current = cost;
        if (cost < this.best.cost) this.keep();
      } else undo.rollBack(ruin);
      temperature *= cooling;
    }
    return most;
  }

  /** Returns to the best plan and inserts the orders that still fit, highest priority first. No position is skipped. */
  complete(): void {
    this.adopt(this.solution);
    const { orders } = this.model.problem;
    const absent = [...this.ruin.absent.subarray(0, this.ruin.count)];
    absent.sort((one, other) => orders[other]!.priority - orders[one]!.priority || one - other);
    const everywhere = new Insertion(this.state, this.matrix, null);
    for (const order of absent) {
      everywhere.forget();
      for (let resource = 0; resource < this.state.length.length; resource += 1)
        if (this.may(order, resource)) everywhere.scan(order, resource);
      if (everywhere.resource < 0) continue;
      everywhere.apply(order);
      this.ruin.drop(order);
    }
    this.current = this.objective();
    if (this.current < this.best.cost) this.keep();
  }

  /** Returns whether the resource may take the order: skills, size, warehouse, and a fixed resource. */
  private may(order: number, resource: number): boolean {
    const { allowed, classes, classOf, fixed } = this.model;
    if (fixed[order]! >= 0 && fixed[order] !== resource) return false;
    return allowed[order * classes + classOf[resource]!] === 1;
  }

  /** Continues from another plan of the same problem. */
  adopt(solution: Solution): void {
    const { state, model, ruin } = this;
    for (let resource = 0; resource < state.length.length; resource += 1) ruin.empty(resource);
    for (const { resource, stops } of solution.routes) {
      let after = model.start(resource);
      for (const [order, kind] of stops) {
        const node = model.first[order]! + (model.kind[order] === TRANSFER ? kind : 0);
        state.link(node, after, resource);
        ruin.drop(order);
        after = node;
      }
      state.refresh(resource);
    }
    this.current = this.objective();
    if (this.current < this.best.cost) this.keep();
  }

  private recreate(): void {
    const { ruin, undo, insertion } = this;
    const waiting = absentOrder(this.model, ruin, this.random);
    for (const order of waiting) {
      insertion.forget();
      this.look(order);
      if (insertion.resource < 0) continue;
      undo.save(insertion.resource);
      insertion.apply(order);
      ruin.drop(order);
    }
  }

  /**
   * Finds the cheapest position on the routes in use and on a new one. With many routes, only routes of neighbours are
   * tried.
   */
  private look(order: number): void {
    const { model, state, insertion, asked } = this;
    const { classes, classOf, allowed, fixed } = model;
    const base = order * classes;
    this.asking += 1;
    this.balance?.look();
    if (fixed[order]! >= 0) {
      if (this.may(order, fixed[order]!)) insertion.scan(order, fixed[order]!);
      return;
    }
    const resources = state.length.length;
    if (resources > ALL_ROUTES) this.lookNear(order);
    let opened = 0;
    for (let resource = 0; resource < resources; resource += 1) {
      const kind = classOf[resource]!;
      if (!allowed[base + kind] || asked[resource] === this.asking) continue;
      if (state.length[resource] === 0) {
        // Empty routes of one class are identical: only the first one is tried.
        if (kind < 31 && (opened & (1 << kind)) !== 0) continue;
        if (kind < 31) opened |= 1 << kind;
        insertion.scan(order, resource, this.balance?.surcharge(order, resource));
      } else if (resources <= ALL_ROUTES || insertion.resource < 0)
        insertion.scan(order, resource, this.balance?.surcharge(order, resource));
    }
  }

  private lookNear(order: number): void {
    const { model, state, insertion, asked, near } = this;
    const first = model.first[order]!;
    for (const node of [first, model.mate[first]!]) {
      if (node < 0) continue;
      for (let index = 0; index < NEAR && index < near.count; index += 1) {
        const resource = state.route[near.of[node * near.count + index]!]!;
        if (resource < 0 || asked[resource] === this.asking) continue;
        asked[resource] = this.asking;
        if (model.allowed[order * model.classes + model.classOf[resource]!])
          insertion.scan(order, resource, this.balance?.surcharge(order, resource));
      }
    }
  }

  private objective(): number {
    const { state, model, ruin } = this;
    let total = 0;
    for (let resource = 0; resource < state.costs.length; resource += 1) total += state.costs[resource]!;
    for (let index = 0; index < ruin.count; index += 1) total += model.penalty[ruin.absent[index]!]!;
    return this.balance ? total + this.balance.cost() : total;
  }

  private meanWay(): number {
    const { state, model } = this;
    let sum = 0;
    let ways = 0;
    for (let node = 0; node < model.nodes; node += 1) {
      if (node < model.visits ? state.route[node]! < 0 : (node - model.visits) % 2 === 0) continue;
      if (node >= model.visits && state.length[(node - model.visits) >> 1] === 0) continue;
      sum += state.arc[node]!;
      ways += 1;
    }
    return ways === 0 ? 1 : Math.max(1, sum / ways);
  }

  private holds(resource: number): boolean {
    const { model, state } = this;
    const { maxDistance } = model.problem.resources[resource]!;
    if (maxDistance !== undefined && state.metres[resource]! > maxDistance) return false;
    if (!model.simulated[resource] || state.length[resource] === 0) return true;
    const visits = [];
    for (let node = state.next[model.start(resource)]!; node < model.visits; node = state.next[node]!)
      visits.push(model.visitOf(node));
    return model.isDrivable(model.problem.resources[resource]!, visits, this.matrix);
  }

  private keep(): void {
    this.best.keep(this.current);
  }
}
