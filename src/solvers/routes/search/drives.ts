import type { Matrix, Problem, Weights } from '../problem.js';
import { kindsOf, secondsAt, weightsFor } from '../vehicle.js';

/** Greater than every time of a problem, and still an Int32 after a drive is added. */
export const NEVER = 1_000_000_000;

/** Costs and times of all drives for one kind of vehicle, row by row; `costTo` and `timeTo` column by column. */
export interface Drives {
  readonly cost: Float64Array;
  readonly costTo: Float64Array;
  readonly time: Int32Array;
  readonly timeTo: Int32Array;
}

export interface AllDrives {
  /** Drives of the first resource, for cost estimates while the resource is not known yet. */
  readonly usual: Drives;
  readonly byResource: readonly Drives[];
  /** The highest cost of all drives. */
  readonly highestCost: number;
}

/** `size`: number of places plus one; all drives from and to the additional place are free. */
export function drivesOf(problem: Problem, matrix: Matrix, size: number): AllDrives {
  const made = new Map<string, Drives>();
  let dearest = 0;
  const make = (kind: string, weights: Weights, speed: number | undefined): Drives => {
    const known = made.get(kind);
    if (known) return known;
    const filled = fill(matrix, size, weights, speed);
    made.set(kind, filled.ways);
    if (filled.dearest > dearest) dearest = filled.dearest;
    return filled.ways;
  };
  const kinds = kindsOf(problem);
  const byResource = problem.resources.map((resource, index) =>
    make(kinds[index]!, weightsFor(problem, resource), resource.speed),
  );
  return { usual: byResource[0] ?? make('', problem.weights, undefined), byResource, highestCost: dearest };
}

function fill(matrix: Matrix, size: number, { perMetre, perSecond }: Weights, speed: number | undefined) {
  const cost = new Float64Array(size ** 2);
  const time = new Int32Array(size ** 2);
  let dearest = 0;
  let symmetric = true;
  for (let from = 0; from < matrix.size; from += 1)
    for (let to = 0; to < matrix.size; to += 1) {
      const source = from * matrix.size + to;
      const cell = from * size + to;
      const seconds = secondsAt(speed, matrix.duration[source]!);
      time[cell] = seconds < 0 ? NEVER : seconds;
      cost[cell] = seconds < 0 ? 0 : matrix.distance[source]! * perMetre + seconds * perSecond;
      if (cost[cell]! > dearest) dearest = cost[cell]!;
      const back = to * size + from;
      if (to < from && (cost[cell] !== cost[back] || time[cell] !== time[back])) symmetric = false;
    }
  const ways: Drives = {
    cost,
    time,
    costTo: symmetric ? cost : transposed(cost, new Float64Array(size ** 2), size),
    timeTo: symmetric ? time : transposed(time, new Int32Array(size ** 2), size),
  };
  return { ways, dearest };
}

function transposed<T extends Float64Array | Int32Array>(cells: T, into: T, size: number): T {
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) into[to * size + from] = cells[from * size + to]!;
  return into;
}
