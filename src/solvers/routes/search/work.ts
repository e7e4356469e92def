import { latestFor } from './latest.js';
import { NEVER } from './model.js';
import type { Lists } from './lists.js';
import { readyBy } from './times.js';

/** Seconds without drive, service or pause between the latest departure and the earliest end. */
export function waitingOn(state: Lists, resource: number): number {
  const { model, prev, leave } = state;
  const { labels, size, place, to, service, windows } = model;
  const { time } = model.ways[resource]!;
  const start = model.start(resource);
  const end = start + 1;
  const pauses = model.problem.resources[resource]!.breaks.length;
  if (pauses > 0) return waitingWithPauses(state, resource);
  const done = leave[end * labels]!;
  let bound = done;
  let busy = 0;
  let ahead = end;
  for (let node = prev[end]!; ; node = prev[node]!) {
    const drive = time[place[node]! * size + place[ahead]!]!;
    busy += drive;
    bound -= drive;
    if (node === start) break;
    busy += service[node]!;
    bound -= service[node]!;
    if (windows[node]) bound = readyBy(windows[node]!, bound);
    else if (bound > to[node]!) bound = to[node]!;
    ahead = node;
  }
  return Math.max(0, done - bound - busy);
}

/** The same for a route with pauses: computed backward from the earliest end, for each number of pauses taken. */
function waitingWithPauses(state: Lists, resource: number): number {
  const { model, next, leave } = state;
  const { labels, size, place, service } = model;
  const { time } = model.ways[resource]!;
  const { breaks, shift } = model.problem.resources[resource]!;
  const start = model.start(resource);
  const end = start + 1;
  let done = NEVER;
  for (let taken = 0; taken <= breaks.length; taken += 1)
    if (leave[end * labels + taken]! <= (breaks[taken]?.latest ?? NEVER))
      done = Math.min(done, leave[end * labels + taken]!);
  const first = next[start]!;
  const drive = time[place[start]! * size + place[first]!]!;
  let busy = 0;
  for (let node = start; node !== end; node = next[node]!)
    busy += time[place[node]! * size + place[next[node]!]!]! + service[next[node]!]!;
  let least = NEVER;
  for (let taken = 0; taken <= breaks.length; taken += 1) {
    // End as early as possible with `taken` pauses; departure as late as possible with `before` of them taken earlier.
    if (leave[end * labels + taken]! > done || done > (breaks[taken]?.latest ?? NEVER)) continue;
    const latest = latestFor(state, resource, taken, done);
    let free = shift[0];
    let rest = breaks.slice(0, taken).reduce((sum, { duration }) => sum + duration, 0);
    for (let before = 0; before <= taken; before += 1) {
      const departure = latest[first * labels + before]! - drive;
      if (departure >= free) least = Math.min(least, done - departure - busy - rest);
      const pause = breaks[before];
      if (!pause || free > pause.latest) break;
      free = Math.max(free, pause.earliest) + pause.duration;
      rest -= pause.duration;
    }
  }
  return least >= NEVER ? 0 : Math.max(0, least);
}

/** Amount of work of a route, as the balance mode measures it. */
export function workOf(state: Lists, resource: number): number {
  const { model, next } = state;
  const { problem, size, place, service, order } = model;
  const { time } = model.ways[resource]!;
  const start = model.start(resource);
  if (problem.balance!.mode === 'stops' || state.length[resource] === 0) return state.length[resource]!;
  let sum = 0;
  for (let node = start; node !== start + 1; node = next[node]!) {
    const ahead = next[node]!;
    if (problem.balance!.mode === 'duration') sum += time[place[node]! * size + place[ahead]!]! + service[ahead]!;
    else if (order[ahead]! >= 0 && model.first[order[ahead]!] === ahead)
      sum += model.load[order[ahead]! * problem.capacities]!;
  }
  return sum;
}
