/**
 * The planning problem. It uses integers only, so that every machine finds the same plan. Units are metres, seconds
 * after an origin that the caller chooses, and separate units for each capacity. The problem is JSON without personal
 * data: orders, resources and places are indices in their lists.
 */

/** A time interval that includes both ends. */
export type Window = readonly [from: number, to: number];

/** One visit. Its service starts inside one of the windows, which are sorted and do not overlap. */
export interface Visit {
  readonly place: number;
  /** Seconds. */
  readonly service: number;
  readonly windows: readonly Window[];
  /** The ranked visits of a route must be in ascending order of rank. Ranks fix the sequence of stops. */
  readonly rank?: number;
}

/**
 * An order. The goods of an order with only a delivery are on board from the start of the route. With only a pickup
 * they stay on board until the end. With both they are on board in between.
 */
export interface Order {
  readonly pickup?: Visit;
  readonly delivery?: Visit;
  /** One value for each capacity of the problem. */
  readonly size: readonly number[];
  readonly skills: readonly number[];
  /** 0 to 9; if not all orders fit, higher priorities stay on a route. 10: the goods are already picked up. */
  readonly priority: number;
  /** If set, only this resource may do the order. */
  readonly resource?: number;
  /**
   * Where the goods of a delivery are (the route must start there), or where the goods of a pickup go (it must end
   * there).
   */
  readonly warehouse?: number;
}

/**
 * A pause that starts between `earliest` and `latest`. It is due if the route is under way at that time. A pause does
 * not interrupt a drive.
 */
export interface Break {
  readonly duration: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A driver with a vehicle, for one shift. */
export interface Resource {
  readonly start: number;
  /** Null if the route ends at its last stop. */
  readonly end: number | null;
  readonly shift: Window;
  /** In chronological order; the intervals of their start times do not overlap. */
  readonly breaks: readonly Break[];
  /** A pause of `duration` is required after `after` seconds of driving; any pause of at least that length counts. */
  readonly driveBreak?: { readonly after: number; readonly duration: number };
  readonly capacity: readonly number[];
  readonly skills: readonly number[];
  /** Metres. */
  readonly maxDistance?: number;
  /** Seconds from departure to the end of the route. */
  readonly maxDuration?: number;
  readonly maxStops?: number;
  /** Thousandths: with 2,000 every drive takes half its time. Absent: the durations of the matrix. */
  readonly speed?: number;
  /** Weights for the route of this resource; absent: the weights of the problem. */
  readonly weights?: Weights;
}

/** Cost weights of a route, in whole units of the caller: see `weightsOf`. */
export interface Weights {
  readonly perRoute: number;
  readonly perMetre: number;
  /** Cost of a second of driving. */
  readonly perSecond: number;
  /** Cost of a second of waiting. */
  readonly perWait: number;
}

/** How evenly the work is distributed; `strength` in thousandths. */
export interface Balance {
  readonly mode: 'stops' | 'duration' | 'load';
  readonly strength: number;
  /** Resources without work count as routes without work. */
  readonly useAll: boolean;
}

export interface Problem {
  readonly places: number;
  readonly capacities: number;
  readonly orders: readonly Order[];
  readonly resources: readonly Resource[];
  readonly weights: Weights;
  readonly balance?: Balance;
}

/**
 * Drives between places, row by row: `distance[from * size + to]`. A negative duration means that no drive is possible.
 */
export interface Matrix {
  readonly size: number;
  /** Metres. */
  readonly distance: Int32Array;
  /** Seconds. */
  readonly duration: Int32Array;
}

/** 0 pickup, 1 delivery. */
export type Stop = readonly [order: number, kind: 0 | 1];

export interface Route {
  readonly resource: number;
  readonly stops: readonly Stop[];
}

/** Assignment and sequence of the stops. The times follow from it: see `planOf`. */
export interface Solution {
  /** In the order of the resources; no route is empty. */
  readonly routes: readonly Route[];
  /** Ascending. */
  readonly unassigned: readonly number[];
}
