import type { Route, Solution, Stop } from '../problem.js';
import type { State } from './state.js';

/** The best plan so far: node sequences by resource, converted to a solution only on request. */
export class Incumbent {
  cost = Infinity;
  /** The nodes of each resource, followed by -1. */
  private readonly nodes: Int32Array;
  private read: Solution | null = null;

  constructor(private readonly state: State) {
    this.nodes = new Int32Array(state.model.visits + state.length.length).fill(-1);
  }

  keep(cost: number): void {
    const { model, next, length } = this.state;
    let at = 0;
    for (let resource = 0; resource < length.length; resource += 1) {
      for (let node = next[model.start(resource)]!; node < model.visits; node = next[node]!) this.nodes[at++] = node;
      this.nodes[at++] = -1;
    }
    this.cost = cost;
    this.read = null;
  }

  get solution(): Solution {
    this.read ??= this.toSolution();
    return this.read;
  }

  private toSolution(): Solution {
    const { model } = this.state;
    const { orders, resources } = model.problem;
    const routes: Route[] = [];
    const left = new Set(orders.keys());
    let at = 0;
    for (let resource = 0; resource < resources.length; resource += 1) {
      const stops: Stop[] = [];
      for (; this.nodes[at]! >= 0; at += 1) {
        const order = model.order[this.nodes[at]!]!;
        left.delete(order);
        stops.push([order, orders[order]!.pickup && model.first[order] === this.nodes[at] ? 0 : 1]);
      }
      at += 1;
      if (stops.length > 0) routes.push({ resource, stops });
    }
    return { routes, unassigned: [...left] };
  }
}
