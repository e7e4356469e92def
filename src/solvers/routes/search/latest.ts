import { NEVER } from './model.js';
import type { Lists } from './lists.js';
import { arriveByPause, readyBy } from './times.js';

/** Returns the latest arrivals by node and pauses taken, for a route that ends at `done` with `taken` pauses. */
export function latestFor(state: Lists, resource: number, taken: number, done: number): Int32Array {
  const { labels } = state.model;
  const base = state.model.end(resource) * labels;
  state.spare.fill(-NEVER, base, base + labels);
  state.spare[base + taken] = done;
  arriveByPause(state.spare, base, state.model.problem.resources[resource]!.breaks);
  fillLatest(state, resource, state.spare);
  return state.spare;
}

/** Computes the latest arrivals of a route backward from those at its end. */
export function fillLatest(state: Lists, resource: number, latest: Int32Array): void {
  const { model, prev } = state;
  const { labels, size, place, from, to, service, windows } = model;
  const { time } = model.ways[resource]!;
  const { breaks } = model.problem.resources[resource]!;
  const start = model.start(resource);
  let ahead = start + 1;
  for (let node = prev[ahead]!; node !== start; node = prev[node]!) {
    const drive = time[place[node]! * size + place[ahead]!]!;
    const base = node * labels;
    for (let taken = 0; taken < labels; taken += 1) {
      const bound = latest[ahead * labels + taken]!;
      latest[base + taken] = bound <= -NEVER ? -NEVER : bound - drive;
    }
    arriveByPause(latest, base, breaks);
    for (let taken = 0; taken < labels; taken += 1) {
      let bound = latest[base + taken]!;
      if (bound <= -NEVER) continue;
      bound -= service[node]!;
      if (windows[node]) bound = readyBy(windows[node]!, bound);
      else if (bound > to[node]!) bound = to[node]!;
      else if (bound < from[node]!) bound = -NEVER;
      latest[base + taken] = bound;
    }
    arriveByPause(latest, base, breaks);
    ahead = node;
  }
}
