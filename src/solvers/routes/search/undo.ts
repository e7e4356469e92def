import type { Ruin } from './ruin.js';
import type { State } from './state.js';

/** Restores the routes that an iteration changed: stores their sequences before the change. */
export class Undo {
  private readonly log: Int32Array;
  private readonly saved: Int32Array;
  private readonly touched: Int32Array;
  private readonly absent: Int32Array;
  private count = 0;
  private at = 0;
  private absentCount = 0;
  private round = 0;

  constructor(private readonly state: State) {
    const { orders, resources } = state.model.problem;
    this.log = new Int32Array(state.model.visits + resources.length);
    this.saved = new Int32Array(resources.length);
    this.touched = new Int32Array(resources.length);
    this.absent = new Int32Array(orders.length);
  }

  begin(ruin: Ruin): void {
    this.round += 1;
    this.count = 0;
    this.at = 0;
    this.absentCount = ruin.count;
    for (let index = 0; index < ruin.count; index += 1) this.absent[index] = ruin.absent[index]!;
  }

  /** Must be called before the first change of a route in an iteration. */
  save(resource: number): void {
    if (this.saved[resource] === this.round) return;
    this.saved[resource] = this.round;
    this.touched[this.count++] = resource;
    const { next, model } = this.state;
    for (let node = next[model.start(resource)]!; node < model.visits; node = next[node]!) this.log[this.at++] = node;
    this.log[this.at++] = -1;
  }

  rollBack(ruin: Ruin): void {
    const { state, log } = this;
    const { model, next } = state;
    for (let index = 0; index < this.count; index += 1) {
      const start = model.start(this.touched[index]!);
      while (next[start] !== start + 1) state.unlink(next[start]!);
    }
    let at = 0;
    for (let index = 0; index < this.count; index += 1) {
      const resource = this.touched[index]!;
      let after = model.start(resource);
      for (; log[at]! >= 0; at += 1) {
        state.link(log[at]!, after, resource);
        ruin.drop(model.order[log[at]!]!);
        after = log[at]!;
      }
      at += 1;
      state.refresh(resource);
    }
    ruin.restore(this.absent, this.absentCount);
  }
}
