/**
 * What is to be planned. Integers only, so that every machine finds the same plan: metres, seconds after an origin that
 * the caller chooses, and capacities in units of its own. The problem is JSON and knows no person: orders, resources
 * and places are positions in their lists.
 */

/** A stretch of time, both ends in it. */
export type Window = readonly [from: number, to: number];

/** One visit: service starts inside one of the windows, which are sorted and do not overlap. */
export interface Visit {
  readonly place: number;
  /** Seconds. */
  readonly service: number;
  readonly windows: readonly Window[];
  /** Among the ranked visits of a route the rank rises: stops that must keep their sequence. */
  readonly rank?: number;
}

/**
 * An order. With a delivery alone its goods are on board from the start of the route, with a pickup alone they stay on
 * until its end, with both they travel in between.
 */
export interface Order {
  readonly pickup?: Visit;
  readonly delivery?: Visit;
  /** One number for each capacity of the problem. */
  readonly size: readonly number[];
  readonly skills: readonly number[];
  /** 0 to 9; the higher stays on a route where not all fit. 10: its goods are already in somebody's hands. */
  readonly priority: number;
  /** Only this resource may do it. */
  readonly resource?: number;
  /** Where a delivery's goods lie (the route starts there) or a pickup's goods go (it ends there). */
  readonly warehouse?: number;
}

/**
 * A pause that starts between `earliest` and `latest`. It is due if the route is under way then; no drive is cut by it.
 */
export interface Break {
  readonly duration: number;
  readonly earliest: number;
  readonly latest: number;
}

/** A driver with a vehicle, for one shift. */
export interface Resource {
  readonly start: number;
  /** Null: the route ends at its last stop. */
  readonly end: number | null;
  readonly shift: Window;
  /** In the order of time; windows of their starts do not overlap. */
  readonly breaks: readonly Break[];
  /** After `after` seconds at the wheel a pause of `duration`; any pause of that length counts. */
  readonly driveBreak?: { readonly after: number; readonly duration: number };
  readonly capacity: readonly number[];
  readonly skills: readonly number[];
  /** Metres. */
  readonly maxDistance?: number;
  /** Seconds from departure to the end of the route. */
  readonly maxDuration?: number;
  readonly maxStops?: number;
  /** Thousandths: 2,000 drives every way in half its time. Absent: as the matrix says. */
  readonly speed?: number;
  /** What its route costs; absent: as the problem says. */
  readonly weights?: Weights;
}

/** What a route costs, in whole units of the caller: see `weightsOf`. */
export interface Weights {
  readonly perRoute: number;
  readonly perMetre: number;
  /** A second at the wheel. */
  readonly perSecond: number;
  /** A second of waiting. */
  readonly perWait: number;
}

/** How evenly work is spread; `strength` in thousandths. */
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

/** Ways between places, row by row: `distance[from * size + to]`. A negative time: no way leads there. */
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

/** Who drives where in which sequence. Times follow from it: see `scheduleOf`. */
export interface Solution {
  /** In the order of the resources; none is empty. */
  readonly routes: readonly Route[];
  /** Ascending. */
  readonly unassigned: readonly number[];
}
