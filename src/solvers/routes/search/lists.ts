import type { Model } from './model.js';

/**
 * The arrays of a plan during the search. Each resource has a doubly linked list of nodes. Each node stores the values
 * that an insertion needs in O(1): earliest departure, latest arrival, and the load before and after it. If there are
 * pauses, both times are stored by the number of pauses taken so far.
 */
export class Lists {
  readonly next: Int32Array;
  readonly prev: Int32Array;
  /** Resource by node, -1 where unassigned. */
  readonly route: Int32Array;
  /** Cost of the drive to a node. */
  readonly arc: Float64Array;
  /** By node and pauses taken: earliest departure; NEVER if infeasible. */
  readonly leave: Int32Array;
  /** By node and pauses taken: latest arrival; -NEVER if infeasible. */
  readonly latest: Int32Array;
  /** Buffer for latest arrivals with another end time. */
  readonly spare: Int32Array;
  /**
   * By node and capacity: the maximum load from the start to this node (after its stop), and from this node to the end.
   */
  readonly peakBefore: Int32Array;
  readonly peakAfter: Int32Array;
  /** Load on board when a node is left. */
  readonly aboard: Int32Array;
  readonly length: Int32Array;
  /** By resource: number of stops of pickups and transfers. If it is 0, the load only decreases along the route. */
  readonly mixed: Int32Array;
  readonly metres: Float64Array;
  /** By resource: cost of its route, including waiting. */
  readonly costs: Float64Array;
  /** By resource: amount of work for the balance. */
  readonly work: Float64Array;
  /**
   * By resource: the times of its route are feasible. Drives are not always shortest paths, so removing a stop can make
   * a route infeasible.
   */
  readonly valid: Uint8Array;

  constructor(readonly model: Model) {
    const { nodes, labels, problem } = model;
    const resources = problem.resources.length;
    this.next = new Int32Array(nodes);
    this.prev = new Int32Array(nodes);
    this.route = new Int32Array(nodes).fill(-1);
    this.arc = new Float64Array(nodes);
    this.leave = new Int32Array(nodes * labels);
    this.latest = new Int32Array(nodes * labels);
    this.spare = new Int32Array(labels > 1 ? nodes * labels : 0);
    this.peakBefore = new Int32Array(nodes * problem.capacities);
    this.peakAfter = new Int32Array(nodes * problem.capacities);
    this.aboard = new Int32Array(nodes * problem.capacities);
    this.length = new Int32Array(resources);
    this.mixed = new Int32Array(resources);
    this.metres = new Float64Array(resources);
    this.costs = new Float64Array(resources);
    this.work = new Float64Array(resources);
    this.valid = new Uint8Array(resources).fill(1);
  }
}
