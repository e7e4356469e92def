import type { State } from './state.js';

/**
 * The cost of unevenly distributed work: the sum over the routes of the squared deviation from the mean, relative to
 * the mean. At full strength, a route that deviates by the mean itself costs ten average drives from the start to a
 * stop.
 */
export class Evenness {
  private readonly unit: number;
  private readonly useAll: boolean;
  /** By order: estimate of the work that it adds to a route, to guide insertions. */
  private readonly guess: Float64Array;
  private readonly total: number;
  private used = 0;

  constructor(private readonly state: State) {
    const { model } = state;
    const { balance, resources, orders, capacities } = model.problem;
    const start = (resources[0]?.start ?? 0) * model.size;
    let ways = 0;
    for (let node = 0; node < model.visits; node += 1) ways += model.usual.cost[start + model.place[node]!]!;
    this.unit = Math.max(1, Math.round((ways / Math.max(1, model.visits)) * 10 * (balance!.strength / 1_000)));
    this.useAll = balance!.useAll;
    this.guess = Float64Array.from(orders, (order, index) => {
      const visits = [order.pickup, order.delivery].filter((visit) => visit !== undefined);
      if (balance!.mode === 'stops') return visits.length;
      if (balance!.mode === 'load') return capacities > 0 ? order.size[0]! : 0;
      const near = model.usual.time[start + model.place[model.first[index]!]!]! / 4;
      return visits.reduce((sum, visit) => sum + visit.service + Math.min(3_600, near), 0);
    });
    this.total = Math.max(
      1,
      this.guess.reduce((sum, work) => sum + work, 0),
    );
  }

  cost(): number {
    const { work, length } = this.state;
    let count = 0;
    let sum = 0;
    let squares = 0;
    for (let resource = 0; resource < work.length; resource += 1) {
      if (!this.useAll && length[resource] === 0) continue;
      count += 1;
      sum += work[resource]!;
      squares += work[resource]! ** 2;
    }
    return sum === 0 ? 0 : Math.round(this.unit * ((count * count * squares) / (sum * sum) - count));
  }

  /** Counts the routes that share the work. Call it before `surcharge`. */
  look(): void {
    const { length } = this.state;
    this.used = 0;
    for (let resource = 0; resource < length.length; resource += 1)
      if (this.useAll || length[resource]! > 0) this.used += 1;
  }

  /** Estimates the balance cost of inserting the order into this route. */
  surcharge(order: number, resource: number): number {
    const { work, length } = this.state;
    const mean = this.total / Math.max(1, this.used);
    const before = !this.useAll && length[resource] === 0 ? mean : work[resource]!;
    const more = this.guess[order]!;
    return Math.round((this.unit * (2 * before + more) * more) / (mean * mean));
  }
}
