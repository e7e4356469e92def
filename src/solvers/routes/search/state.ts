import { fillLatest } from './latest.js';
import { Lists } from './lists.js';
import { countLoads } from './loads.js';
import { DELIVERY, NEVER, type Model } from './model.js';
import { arriveByPause, leaveByPause, readyBy, serviceStart } from './times.js';
import { waitingOn, workOf } from './work.js';

/** A plan during the search, and the moves that keep its arrays consistent. */
export class State extends Lists {
  constructor(model: Model) {
    super(model);
    for (let resource = 0; resource < model.problem.resources.length; resource += 1) this.clear(resource);
  }

  clear(resource: number): void {
    const start = this.model.start(resource);
    this.next[start] = start + 1;
    this.prev[start + 1] = start;
    this.prev[start] = -1;
    this.next[start + 1] = -1;
    this.length[resource] = 0;
    this.mixed[resource] = 0;
    this.refresh(resource);
  }

  /** Inserts a node after another; call `refresh` afterwards. */
  link(node: number, after: number, resource: number): void {
    const before = this.next[after]!;
    this.next[after] = node;
    this.prev[node] = after;
    this.next[node] = before;
    this.prev[before] = node;
    this.route[node] = resource;
    this.length[resource]! += 1;
    if (this.model.kind[this.model.order[node]!] !== DELIVERY) this.mixed[resource]! += 1;
  }

  /** Removes a node; call `refresh` afterwards. */
  unlink(node: number): void {
    const resource = this.route[node]!;
    const before = this.prev[node]!;
    const after = this.next[node]!;
    this.next[before] = after;
    this.prev[after] = before;
    this.route[node] = -1;
    this.length[resource]! -= 1;
    if (this.model.kind[this.model.order[node]!] !== DELIVERY) this.mixed[resource]! -= 1;
  }

  /** Recalculates a changed route. */
  refresh(resource: number): void {
    if (this.model.labels === 1) this.refreshTimes(resource);
    else this.refreshTimesWithPauses(resource);
    if (this.model.problem.capacities > 0) countLoads(this, resource);
  }

  private refreshTimes(resource: number): void {
    const { model, next, prev, leave, latest, arc } = this;
    const { labels, size, place, metres, from, to, service, windows } = model;
    const { cost, time } = model.ways[resource]!;
    const start = model.start(resource);
    const end = start + 1;
    const shift = model.problem.resources[resource]!.shift;
    let clock = shift[0];
    let node = start;
    leave[start * labels] = clock;
    let total = 0;
    let way = 0;
    let valid = 1;
    while (node !== end) {
      const ahead = next[node]!;
      const cell = place[node]! * size + place[ahead]!;
      arc[ahead] = cost[cell]!;
      total += cost[cell]!;
      way += metres[cell]!;
      clock += time[cell]!;
      if (clock > to[ahead]!) valid = 0;
      if (windows[ahead]) clock = Math.max(clock, serviceStart(windows[ahead]!, clock));
      else if (clock < from[ahead]!) clock = from[ahead]!;
      clock += service[ahead]!;
      leave[ahead * labels] = clock;
      node = ahead;
    }
    this.valid[resource] = clock > shift[1] ? 0 : valid;
    let bound = shift[1];
    latest[end * labels] = bound;
    node = prev[end]!;
    let ahead = end;
    while (node !== start) {
      bound -= time[place[node]! * size + place[ahead]!]! + service[node]!;
      if (windows[node]) bound = readyBy(windows[node]!, bound);
      else if (bound > to[node]!) bound = to[node]!;
      latest[node * labels] = bound;
      ahead = node;
      node = prev[node]!;
    }
    this.metres[resource] = way;
    this.finish(resource, total);
  }

  private refreshTimesWithPauses(resource: number): void {
    const { model, next, leave, arc } = this;
    const { labels, size, place, metres } = model;
    const { cost } = model.ways[resource]!;
    const { shift, breaks } = model.problem.resources[resource]!;
    const start = model.start(resource);
    const end = start + 1;
    let total = 0;
    let way = 0;
    for (let taken = 0; taken < labels; taken += 1) leave[start * labels + taken] = taken === 0 ? shift[0] : NEVER;
    leaveByPause(leave, start * labels, breaks);
    for (let node = start; node !== end; node = next[node]!) {
      const ahead = next[node]!;
      const cell = place[node]! * size + place[ahead]!;
      arc[ahead] = cost[cell]!;
      total += cost[cell]!;
      way += metres[cell]!;
      this.stepOver(resource, leave, node * labels, node, ahead, leave, ahead * labels);
    }
    const { latest } = this;
    for (let taken = 0; taken < labels; taken += 1) {
      const due = breaks[taken];
      latest[end * labels + taken] = taken > breaks.length ? -NEVER : due ? Math.min(shift[1], due.latest) : shift[1];
    }
    arriveByPause(latest, end * labels, breaks);
    this.valid[resource] = 0;
    for (let taken = 0; taken <= breaks.length; taken += 1)
      if (leave[end * labels + taken]! <= latest[end * labels + taken]!) this.valid[resource] = 1;
    fillLatest(this, resource, latest);
    this.metres[resource] = way;
    this.finish(resource, total);
  }

  /** Computes the departure times at the next node from those at a node (by pauses taken). */
  stepOver(
    resource: number,
    times: Int32Array,
    offset: number,
    node: number,
    ahead: number,
    into: Int32Array,
    target: number,
  ): void {
    const { labels, size, place, from, to, service, windows } = this.model;
    const { time } = this.model.ways[resource]!;
    const { breaks } = this.model.problem.resources[resource]!;
    const drive = time[place[node]! * size + place[ahead]!]!;
    for (let taken = 0; taken < labels; taken += 1) {
      const clock = times[offset + taken]!;
      into[target + taken] = clock >= NEVER || drive >= NEVER ? NEVER : clock + drive;
    }
    leaveByPause(into, target, breaks);
    for (let taken = 0; taken < labels; taken += 1) {
      let clock = into[target + taken]!;
      if (clock > to[ahead]!) clock = NEVER;
      else {
        if (windows[ahead]) clock = serviceStart(windows[ahead]!, clock);
        else if (clock < from[ahead]!) clock = from[ahead]!;
        clock += service[ahead]!;
      }
      into[target + taken] = clock;
    }
    leaveByPause(into, target, breaks);
  }

  private finish(resource: number, ways: number): void {
    const { perRoute, perWait } = this.model.weights[resource]!;
    const used = this.length[resource]! > 0;
    // An unused route has no drive from its start to its end.
    if (!used) this.arc[this.model.end(resource)] = 0;
    let total = used ? ways + perRoute : 0;
    if (used && perWait > 0) total += perWait * waitingOn(this, resource);
    this.costs[resource] = total;
    if (this.model.problem.balance) this.work[resource] = workOf(this, resource);
  }
}
