import type { Model } from './model.js';

/**
 * The numbers of one plan in the making: a doubly linked list for each resource, and at every node what an insertion
 * asks for in O(1): the earliest time to leave it, the latest to arrive at it, and the load before and after. Where
 * pauses exist both times are kept by the number of pauses taken so far.
 */
export class Lists {
  readonly next: Int32Array;
  readonly prev: Int32Array;
  /** Resource by node, -1 where unassigned. */
  readonly route: Int32Array;
  /** Cost of the way that leads to a node. */
  readonly arc: Float64Array;
  /** By node and pauses taken: ready to leave at the earliest; NEVER where it cannot be. */
  readonly leave: Int32Array;
  /** By node and pauses taken: to arrive at the latest; -NEVER where it cannot be. */
  readonly latest: Int32Array;
  /** Room for latest times of another end. */
  readonly spare: Int32Array;
  /** By node and capacity: the most on board from the start to here (after this stop), and from here to the end. */
  readonly peakBefore: Int32Array;
  readonly peakAfter: Int32Array;
  /** On board when a node is left. */
  readonly aboard: Int32Array;
  readonly length: Int32Array;
  /** By resource: has pickups or transfers, so that the load is not falling all the way. */
  readonly mixed: Int32Array;
  readonly metres: Float64Array;
  /** By resource: cost of its route, waiting included. */
  readonly costs: Float64Array;
  /** By resource: what the balance counts. */
  readonly work: Float64Array;
  /** By resource: its times hold. Ways need not be shortest ones, so a route can break when a stop leaves it. */
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
