import type { Matrix, Visit } from '../problem.js';
import type { Blink } from './blink.js';
import { NEVER, PICKUP, TRANSFER } from './model.js';
import { fits, mayCarry, room } from './loads.js';
import { lower, precedes, upper } from './sequence.js';
import type { State } from './state.js';

/**
 * Finds the cheapest position for an order on the current routes. Most constraints are checked in O(1) per position
 * with the values that the state stores per node. Only limits of duration and of driving time need a simulation.
 */
export class Insertion {
  /** Cost that the best position adds; Infinity if there is none. */
  cost = Infinity;
  resource = -1;
  after = -1;
  /** For a transfer, the node after which the delivery is inserted; its own pickup if it follows immediately. */
  deliverAfter = -1;
  private readonly scratch: Int32Array;

  constructor(
    private readonly state: State,
    private readonly matrix: Matrix,
    /** Decides which positions are skipped; null: none. */
    private readonly blink: Blink | null,
  ) {
    this.scratch = new Int32Array(3 * state.model.labels);
  }

  forget(): void {
    this.cost = Infinity;
    this.resource = -1;
  }

  /** Applies the best position that was found. */
  apply(order: number): void {
    const { state } = this;
    const { model } = state;
    const node = model.first[order]!;
    state.link(node, this.after, this.resource);
    if (model.kind[order] === TRANSFER) state.link(model.mate[node]!, this.deliverAfter, this.resource);
    state.refresh(this.resource);
  }

  /** Searches for a cheaper position on the resource's route. `surcharge` is an additional cost of using this route. */
  scan(order: number, resource: number, surcharge = 0): void {
    const { state } = this;
    const { model } = state;
    const { maxStops, breaks, capacity } = model.problem.resources[resource]!;
    const stops = state.length[resource]!;
    if (maxStops !== undefined && stops + (model.kind[order] === TRANSFER ? 2 : 1) > maxStops) return;
    const opening = surcharge + (stops === 0 ? model.weights[resource]!.perRoute : 0);
    if (opening >= this.cost) return;
    if (model.kind[order] === TRANSFER) return this.scanPair(order, resource, opening);
    if (!mayCarry(state, order, resource, capacity)) return;
    const node = model.first[order]!;
    const plain = breaks.length === 0 && model.windows[node] === null && model.rank[node] === 0;
    if (plain && model.simulated[resource] === 0 && model.problem.resources[resource]!.maxDistance === undefined)
      this.scanPlain(node, resource, opening);
    else this.scanAny(node, resource, opening);
  }

  /** Common case, optimized for speed: one window, no pauses, no rank. */
  private scanPlain(node: number, resource: number, opening: number): void {
    const { next, arc, leave, latest, model, mixed } = this.state;
    const { size, place, labels } = model;
    const { cost, costTo, time, timeTo } = model.ways[resource]!;
    const { capacity } = model.problem.resources[resource]!;
    const order = model.order[node]!;
    const row = place[node]! * size;
    const ready = model.from[node]!;
    const due = model.to[node]!;
    const service = model.service[node]!;
    const loads = mixed[resource]! > 0 || model.kind[order] === PICKUP;
    const end = model.end(resource);
    let best = this.cost - opening;
    let after = -1;
    for (let node = model.start(resource); node !== end;) {
      const left = leave[node * labels]!;
      if (left > due) break;
      const ahead = next[node]!;
      const before = row + place[node]!;
      const behind = row + place[ahead]!;
      const extra = costTo[before]! + cost[behind]! - arc[ahead]!;
      if (extra < best) {
        let clock = left + timeTo[before]!;
        if (clock < ready) clock = ready;
        if (
          clock <= due &&
          clock + service + time[behind]! <= latest[ahead * labels]! &&
          (!loads || fits(this.state, order, node, capacity)) &&
          !this.blink?.now()
        ) {
          best = extra;
          after = node;
        }
      }
      node = ahead;
    }
    if (after >= 0) this.keep(resource, after, -1, best + opening);
  }

  /** General case with pauses, several windows, ranks, or limits of the route. */
  private scanAny(node: number, resource: number, opening: number): void {
    const { state, scratch } = this;
    const { model, next, arc, leave } = state;
    const { labels, order } = model;
    const { cost } = model.ways[resource]!;
    const { capacity, maxDistance } = model.problem.resources[resource]!;
    const stop = upper(state, node, resource);
    for (let after = lower(state, node, resource); after !== stop; after = next[after]!) {
      const ahead = next[after]!;
      const extra = this.way(cost, after, node) + this.way(cost, node, ahead) - arc[ahead]! + opening;
      if (extra >= this.cost) continue;
      if (maxDistance !== undefined && state.metres[resource]! + this.metres(after, node, ahead) > maxDistance)
        continue;
      if (!fits(this.state, order[node]!, after, capacity)) continue;
      state.stepOver(resource, leave, after * labels, after, node, scratch, 0);
      if (!this.reaches(resource, 0, node, ahead)) continue;
      if (model.simulated[resource] && !this.holds(resource, [[after, node]])) continue;
      if (!this.blink?.now()) this.keep(resource, after, -1, extra);
    }
  }

  /** Pickup and delivery together: all pairs of positions that time and load allow. */
  private scanPair(order: number, resource: number, opening: number): void {
    const { state, scratch } = this;
    const { model, next, arc, leave } = state;
    const { labels } = model;
    const { cost } = model.ways[resource]!;
    const { maxDistance } = model.problem.resources[resource]!;
    const pickup = model.first[order]!;
    const delivery = model.mate[pickup]!;
    const stop = upper(state, pickup, resource);
    const lowest = lower(state, delivery, resource);
    const highest = upper(state, delivery, resource);
    let reached = precedes(state, lowest, lower(state, pickup, resource), resource);
    for (let after = lower(state, pickup, resource); after !== stop; after = next[after]!) {
      if (after === highest) break;
      if (after === lowest) reached = true;
      const ahead = next[after]!;
      const toPickup = this.way(cost, after, pickup) - arc[ahead]! + opening;
      const base = toPickup + this.way(cost, pickup, ahead);
      const direct = toPickup + this.way(cost, pickup, delivery) + this.way(cost, delivery, ahead);
      // An additional stop rarely makes a drive cheaper. The search skips these cases, but an explanation includes
      // them.
      if (this.blink && base >= this.cost && direct >= this.cost) continue;
      if (!room(state, order, resource, after)) continue;
      state.stepOver(resource, leave, after * labels, after, pickup, scratch, 0);
      if (!this.alive()) continue;
      if (reached && direct < this.cost) {
        state.stepOver(resource, scratch, 0, pickup, delivery, scratch, labels);
        const metres = this.metres(after, pickup, ahead) + this.metres(pickup, delivery, ahead);
        if (
          this.reaches(resource, labels, delivery, ahead) &&
          (maxDistance === undefined || state.metres[resource]! + metres <= maxDistance) &&
          this.may(resource, after, pickup, pickup, delivery)
        )
          this.keep(resource, after, pickup, direct);
      }
      let open = reached;
      let from = pickup;
      if (this.blink && base >= this.cost) continue;
      for (let node = ahead; node !== model.end(resource) && node !== highest; node = next[node]!) {
        state.stepOver(resource, scratch, 0, from, node, scratch, 0);
        if (!this.alive() || !room(state, order, resource, node)) break;
        from = node;
        if (node === lowest) open = true;
        const later = next[node]!;
        const extra = base + this.way(cost, node, delivery) + this.way(cost, delivery, later) - arc[later]!;
        if (!open || extra >= this.cost) continue;
        state.stepOver(resource, scratch, 0, node, delivery, scratch, labels);
        const metres = this.metres(after, pickup, ahead) + this.metres(node, delivery, later);
        if (
          this.reaches(resource, labels, delivery, later) &&
          (maxDistance === undefined || state.metres[resource]! + metres <= maxDistance) &&
          this.may(resource, after, pickup, node, delivery)
        )
          this.keep(resource, after, node, extra);
      }
    }
  }

  private may(resource: number, after: number, pickup: number, deliverAfter: number, delivery: number): boolean {
    if (this.state.model.simulated[resource]) {
      const links: [number, number][] = [
        [after, pickup],
        [deliverAfter, delivery],
      ];
      if (!this.holds(resource, links)) return false;
    }
    return !this.blink?.now();
  }

  private alive(): boolean {
    for (let taken = 0; taken < this.state.model.labels; taken += 1) if (this.scratch[taken]! < NEVER) return true;
    return false;
  }

  /** Returns whether the rest of the route stays feasible with the times in `scratch`. */
  private reaches(resource: number, offset: number, node: number, ahead: number): boolean {
    const { model, latest } = this.state;
    const { labels } = model;
    const drive = this.way(model.ways[resource]!.time, node, ahead);
    for (let taken = 0; taken < labels; taken += 1) {
      const clock = this.scratch[offset + taken]!;
      if (clock < NEVER && clock + drive <= latest[ahead * labels + taken]!) return true;
    }
    return false;
  }

  /** Checks the exact timeline of the route with the new stops: driving time, pauses and duration. */
  private holds(resource: number, links: readonly (readonly [number, number])[]): boolean {
    const { model, next } = this.state;
    const visits: Visit[] = [];
    const add = (node: number): void => {
      if (node < model.visits) visits.push(model.visitOf(node));
      for (const [after, added] of links) if (after === node) add(added);
    };
    for (let node = model.start(resource); node !== model.end(resource); node = next[node]!) add(node);
    return model.isDrivable(model.problem.resources[resource]!, visits, this.matrix);
  }
  private way(cells: Float64Array | Int32Array, from: number, to: number): number {
    const { size, place } = this.state.model;
    return cells[place[from]! * size + place[to]!]!;
  }

  /** Metres that a stop adds between two others. */
  private metres(before: number, node: number, ahead: number): number {
    const { metres } = this.state.model;
    return this.way(metres, before, node) + this.way(metres, node, ahead) - this.way(metres, before, ahead);
  }

  private keep(resource: number, after: number, deliverAfter: number, cost: number): void {
    this.cost = cost;
    this.resource = resource;
    this.after = after;
    this.deliverAfter = deliverAfter;
  }
}
