import type { Random } from '../random.js';
import { TRANSFER, type Model } from './model.js';
import type { State } from './state.js';

/** Average number of orders that are removed per iteration. */
const REMOVED = 10;
/** Maximum length of a string that is removed from one route. */
const LONGEST = 10;
/** Probability that a string keeps a part in its middle, and the probability that this part is one stop longer. */
const SPLIT = 0.5;
const DEEPER = 0.01;
/** Number of neighbours that are stored per visit. */
const NEIGHBOURS = 250;

/** For each visit, the other visits in order of distance: rows of equal length. */
export class Neighbours {
  readonly count: number;
  readonly of: Int32Array;

  constructor(model: Model) {
    const { visits, place, size } = model;
    const { cost, time } = model.usual;
    this.count = Math.min(NEIGHBOURS, Math.max(0, visits - 1));
    this.of = new Int32Array(visits * this.count);
    const keys = new Float64Array(Math.max(0, visits - 1));
    for (let node = 0; node < visits; node += 1) {
      let at = 0;
      for (let other = 0; other < visits; other += 1) {
        if (other === node) continue;
        const cell = place[node]! * size + place[other]!;
        const back = place[other]! * size + place[node]!;
        const far = time[cell]! >= 1e9 || time[back]! >= 1e9;
        // Combines distance and visit in one number, so that floats can be sorted without a comparator. Both are exact.
        keys[at++] = (far ? 2 ** 40 : Math.min(2 ** 40, Math.floor((cost[cell]! + cost[back]!) / 2))) * 4_096 + other;
      }
      keys.sort();
      for (let index = 0; index < this.count; index += 1) this.of[node * this.count + index] = keys[index]! % 4_096;
    }
  }
}

/**
 * Slack induction by string removals (Christiaens and Vanden Berghe, 2020): removes strings of neighbouring stops from
 * neighbouring routes, to create free capacity in one area.
 */
export class Ruin {
  /** Orders that are on no route; the first `count` are valid. */
  readonly absent: Int32Array;
  count = 0;
  /** The index of an order in `absent`, -1 while it is on a route. */
  private readonly spot: Int32Array;
  private readonly ruined: Int32Array;
  private readonly touched: number[] = [];
  private round = 0;

  constructor(
    private readonly state: State,
    private readonly neighbours: Neighbours,
    private readonly random: Random,
    /** Called before a route is changed. */
    private readonly save: (resource: number) => void,
    private readonly holds: (resource: number) => boolean,
  ) {
    const { orders, resources } = state.model.problem;
    this.absent = new Int32Array(orders.length);
    this.spot = new Int32Array(orders.length).fill(-1);
    this.ruined = new Int32Array(resources.length).fill(-1);
  }

  add(order: number): void {
    this.spot[order] = this.count;
    this.absent[this.count++] = order;
  }

  drop(order: number): void {
    const spot = this.spot[order]!;
    if (spot < 0) return;
    const last = this.absent[--this.count]!;
    this.absent[spot] = last;
    this.spot[last] = spot;
    this.spot[order] = -1;
  }

  /** Restores an earlier list of absent orders. */
  restore(orders: Int32Array, count: number): void {
    for (let index = 0; index < this.count; index += 1) this.spot[this.absent[index]!] = -1;
    this.count = 0;
    for (let index = 0; index < count; index += 1) this.add(orders[index]!);
  }

  run(): void {
    const { state, random, neighbours } = this;
    const { model, route, length } = state;
    const assigned = model.visits - this.absentVisits();
    if (assigned === 0) return;
    let used = 0;
    for (let resource = 0; resource < length.length; resource += 1) if (length[resource]! > 0) used += 1;
    const longest = Math.min(LONGEST, assigned / used);
    const most = (4 * REMOVED) / (1 + longest) - 1;
    let strings = Math.floor(random.unit() * most + 1);
    const seed = random.below(model.visits);
    this.round += 1;
    this.touched.length = 0;
    for (let index = -1; index < neighbours.count && strings > 0; index += 1) {
      const node = index < 0 ? seed : neighbours.of[seed * neighbours.count + index]!;
      const resource = route[node]!;
      if (resource < 0 || this.ruined[resource] === this.round) continue;
      this.ruined[resource] = this.round;
      this.touched.push(resource);
      this.save(resource);
      const limit = Math.min(length[resource]!, longest);
      this.takeString(node, resource, Math.floor(random.unit() * limit + 1));
      strings -= 1;
    }
    for (const resource of this.touched) {
      state.refresh(resource);
      if (!state.valid[resource] || !this.holds(resource)) this.empty(resource);
    }
  }

  /** Removes all orders from a route. */
  empty(resource: number): void {
    const { model, next } = this.state;
    const start = model.start(resource);
    while (next[start] !== start + 1) this.take(next[start]!);
    this.state.refresh(resource);
  }

  private absentVisits(): number {
    const { kind } = this.state.model;
    let visits = 0;
    for (let index = 0; index < this.count; index += 1) visits += kind[this.absent[index]!] === TRANSFER ? 2 : 1;
    return visits;
  }

  private takeString(node: number, resource: number, wanted: number): void {
    const { state, random } = this;
    const { model, prev, next, length } = state;
    let kept = 0;
    if (wanted > 1 && wanted < length[resource]! && random.unit() < SPLIT) {
      kept = 1;
      while (wanted + kept < length[resource]! && random.unit() < DEEPER) kept += 1;
    }
    const span = Math.min(wanted + kept, length[resource]!);
    let before = 0;
    for (let stop = prev[node]!; stop >= 0 && stop < model.visits && before < span - 1; stop = prev[stop]!) before += 1;
    let behind = 0;
    for (let stop = next[node]!; stop < model.visits && behind < span - 1; stop = next[stop]!) behind += 1;
    const least = Math.max(0, span - 1 - behind);
    let back = least + random.below(before - least + 1);
    let stop = node;
    for (; back > 0; back -= 1) stop = prev[stop]!;
    const keepFrom = kept > 0 ? 1 + random.below(wanted - 1) : span;
    const string: number[] = [];
    for (let index = 0; index < span; index += 1) {
      if (index < keepFrom || index >= keepFrom + kept) string.push(stop);
      stop = next[stop]!;
    }
    for (const member of string) this.take(member);
  }

  private take(node: number): void {
    const { state } = this;
    if (state.route[node]! < 0) return;
    this.add(state.model.order[node]!);
    state.unlink(node);
    const mate = state.model.mate[node]!;
    if (mate >= 0) state.unlink(mate);
  }
}
