import type { State } from './state.js';

/** Returns the last stop with a lower rank, after which the node must be; or else the start. */
export function lower(state: State, node: number, resource: number): number {
  const { model, next } = state;
  let last = model.start(resource);
  if (model.rank[node] === 0) return last;
  for (let stop = next[last]!; stop !== model.end(resource); stop = next[stop]!)
    if (model.rank[stop]! > 0 && model.rank[stop]! < model.rank[node]!) last = stop;
  return last;
}

/** Returns the first stop with a higher rank, before which the node must be; or else the end. */
export function upper(state: State, node: number, resource: number): number {
  const { model, next } = state;
  const end = model.end(resource);
  if (model.rank[node] === 0) return end;
  for (let stop = next[model.start(resource)]!; stop !== end; stop = next[stop]!)
    if (model.rank[stop]! > model.rank[node]!) return stop;
  return end;
}

/** Returns whether the node is before another node on the route. */
export function precedes(state: State, node: number, other: number, resource: number): boolean {
  const { model, next } = state;
  for (let stop = model.start(resource); stop !== other; stop = next[stop]!) if (stop === node) return true;
  return false;
}
