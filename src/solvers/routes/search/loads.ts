import { DELIVERY, PICKUP, TRANSFER, type Model } from './model.js';
import type { Lists } from './lists.js';

/** Computes the load after each stop, and the maximum load before and after it. */
export function countLoads(state: Lists, resource: number): void {
  const { model, next, prev, peakBefore, peakAfter, aboard } = state;
  const { capacities } = model.problem;
  const start = model.start(resource);
  const end = start + 1;
  for (let type = 0; type < capacities; type += 1) {
    let load = 0;
    for (let node = next[start]!; node !== end; node = next[node]!) {
      const order = model.order[node]!;
      if (model.kind[order] === DELIVERY) load += model.load[order * capacities + type]!;
    }
    let peak = load;
    peakBefore[start * capacities + type] = aboard[start * capacities + type] = load;
    for (let node = next[start]!; node !== end; node = next[node]!) {
      load += changeAt(model, node, type);
      if (load > peak) peak = load;
      peakBefore[node * capacities + type] = peak;
      aboard[node * capacities + type] = load;
    }
    let after = load;
    for (let node = prev[end]!; node !== -1; node = prev[node]!) {
      const here = aboard[node * capacities + type]!;
      if (here > after) after = here;
      peakAfter[node * capacities + type] = after;
    }
  }
}

/** Returns the change of the load at a stop. */
function changeAt(model: Model, node: number, type: number): number {
  const order = model.order[node]!;
  const load = model.load[order * model.problem.capacities + type]!;
  if (model.kind[order] === PICKUP) return load;
  return model.kind[order] === TRANSFER && model.first[order] === node ? load : -load;
}

/** Returns whether the load fits at any position of the route. */
export function mayCarry(state: Lists, order: number, resource: number, capacity: readonly number[]): boolean {
  const { model, peakBefore, peakAfter } = state;
  const { capacities } = model.problem;
  const start = model.start(resource) * capacities;
  const last = state.prev[model.end(resource)]! * capacities;
  for (let type = 0; type < capacities; type += 1) {
    const load = model.load[order * capacities + type]!;
    const least = model.kind[order] === DELIVERY ? peakBefore[start + type]! : peakAfter[last + type]!;
    if (least + load > capacity[type]!) return false;
  }
  return true;
}

/** Returns whether the load fits after this node, for an order with one visit. */
export function fits(state: Lists, order: number, after: number, capacity: readonly number[]): boolean {
  const { model, peakBefore, peakAfter } = state;
  const { capacities } = model.problem;
  const peaks = model.kind[order] === DELIVERY ? peakBefore : peakAfter;
  for (let type = 0; type < capacities; type += 1)
    if (peaks[after * capacities + type]! + model.load[order * capacities + type]! > capacity[type]!) return false;
  return true;
}

/** Returns whether a transfer's goods fit on the drive after this node. */
export function room(state: Lists, order: number, resource: number, node: number): boolean {
  const { model, aboard } = state;
  const { capacities } = model.problem;
  const { capacity } = model.problem.resources[resource]!;
  for (let type = 0; type < capacities; type += 1)
    if (aboard[node * capacities + type]! + model.load[order * capacities + type]! > capacity[type]!) return false;
  return true;
}
