import type { Matrix } from '../routes/problem.js';
import type { Distances, Position, TravelEstimate } from './distances.js';

/** Mean radius of the earth in metres (IUGG). */
const RADIUS = 6_371_008.8;
const RADIANS = Math.PI / 180 / 1_000_000;

/** Speed in km/h by the length of a drive in metres: short drives use city streets, long ones use motorways. */
export type Speeds = readonly (readonly [metres: number, kmh: number])[];

export const DEFAULT_SPEEDS: Speeds = [
  [0, 18],
  [2_000, 25],
  [10_000, 40],
  [50_000, 65],
  [200_000, 80],
];

export interface HaversineOptions {
  /** Ratio of road distance to straight-line distance. */
  readonly roadFactor?: number;
  /** Ascending by length; interpolated linearly, and constant outside the range. */
  readonly speeds?: Speeds;
}

/**
 * Distances without a map: the great-circle distance times a road factor, driven at a speed that depends on the length.
 */
export class Haversine implements Distances {
  readonly id = 'haversine';
  private readonly roadFactor: number;
  private readonly speeds: Speeds;

  constructor({ roadFactor = 1.3, speeds = DEFAULT_SPEEDS }: HaversineOptions = {}) {
    this.roadFactor = roadFactor;
    this.speeds = speeds;
  }

  async between(from: Position, to: Position): Promise<TravelEstimate> {
    return this.estimate(from, to);
  }

  async matrix(positions: readonly Position[]): Promise<Matrix> {
    const size = positions.length;
    const distance = new Int32Array(size * size);
    const duration = new Int32Array(size * size);
    for (let from = 0; from < size; from += 1)
      for (let to = 0; to < from; to += 1) {
        const { metres, seconds } = this.estimate(positions[from]!, positions[to]!);
        distance[from * size + to] = distance[to * size + from] = metres;
        duration[from * size + to] = duration[to * size + from] = seconds;
      }
    return { size, distance, duration };
  }

  private estimate(from: Position, to: Position): TravelEstimate {
    const road = greatCircle(from, to) * this.roadFactor;
    return { metres: Math.round(road), seconds: Math.round((road * 3.6) / this.speedFor(road)) };
  }

  private speedFor(road: number): number {
    const above = this.speeds.findIndex(([metres]) => metres >= road);
    if (above === 0) return this.speeds[0]![1];
    if (above < 0) return this.speeds.at(-1)![1];
    const [[shorter, slow], [longer, fast]] = [this.speeds[above - 1]!, this.speeds[above]!];
    return slow + ((road - shorter) / (longer - shorter)) * (fast - slow);
  }
}

function greatCircle(from: Position, to: Position): number {
  const north = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const east = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const share = north ** 2 + Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * east ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(share)));
}
