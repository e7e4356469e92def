import { Random } from '../../../src/solvers/routes/random.js';
import type {
  Break,
  Matrix,
  Order,
  Problem,
  Resource,
  Visit,
  Weights,
  Window,
} from '../../../src/solvers/routes/problem.js';

/** Rules that a generated problem contains. */
export interface Features {
  readonly kinds?: readonly ('delivery' | 'pickup' | 'transfer')[];
  readonly pauses?: boolean;
  readonly driveBreaks?: boolean;
  readonly limits?: boolean;
  readonly locks?: boolean;
  readonly open?: boolean;
  /** Drives that are not shortest paths, and some that do not exist. */
  readonly rough?: boolean;
  readonly balance?: boolean;
  /**
   * Vehicles with different speeds and prices. None is so slow that a single drive exceeds the allowed driving time.
   */
  readonly vehicles?: boolean;
}

export const EVERYTHING: Features = {
  kinds: ['delivery', 'pickup', 'transfer'],
  pauses: true,
  driveBreaks: true,
  limits: true,
  locks: true,
  open: true,
  rough: true,
  balance: true,
  vehicles: true,
};

/** Generates a problem from a seed; the same seed gives the same problem. Times are seconds of one day. */
export function problemOf(
  seed: number,
  orders: number,
  resources: number,
  features: Features = {},
): { problem: Problem; matrix: Matrix } {
  const random = new Random(seed);
  const places = orders + 3;
  const matrix = matrixOf(random, places, features);
  const kinds = features.kinds ?? ['delivery'];
  const problem: Problem = {
    places,
    capacities: 2,
    orders: Array.from({ length: orders }, () => orderOf(random, kinds, places, resources, features)),
    resources: Array.from({ length: resources }, () => resourceOf(random, features)),
    weights: { perRoute: 2_000, perMetre: 1, perSecond: 2, perWait: random.below(2) },
    ...(features.balance && random.below(3) === 0
      ? { balance: { mode: 'stops' as const, strength: random.below(1_001), useAll: random.below(2) === 0 } }
      : {}),
  };
  return { problem, matrix };
}

function matrixOf(random: Random, size: number, { rough }: Features): Matrix {
  const points = Array.from({ length: size }, () => [random.below(20_000), random.below(20_000)] as const);
  const distance = new Int32Array(size * size);
  const duration = new Int32Array(size * size);
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) {
      const cell = from * size + to;
      const straight = Math.hypot(points[from]![0] - points[to]![0], points[from]![1] - points[to]![1]);
      distance[cell] = Math.round(straight);
      duration[cell] = Math.round((straight / 9) * (rough ? 0.8 + random.unit() * 0.6 : 1));
      if (rough && from !== to && random.below(60) === 0) duration[cell] = -1;
    }
  return { size, distance, duration };
}

function orderOf(
  random: Random,
  kinds: readonly string[],
  places: number,
  resources: number,
  { locks }: Features,
): Order {
  const kind = kinds[random.below(kinds.length)]!;
  const rank = locks && random.below(6) === 0 ? 1 + random.below(5) : 0;
  const visit = (): Visit => ({
    place: 3 + random.below(places - 3),
    service: random.below(900),
    windows: windowsOf(random),
    ...(rank > 0 ? { rank } : {}),
  });
  return {
    ...(kind !== 'delivery' ? { pickup: visit() } : {}),
    ...(kind !== 'pickup' ? { delivery: visit() } : {}),
    size: [1 + random.below(4), random.below(50)],
    skills: random.below(5) === 0 ? [random.below(3)] : [],
    priority: random.below(10),
    ...(locks && random.below(6) === 0 ? { resource: random.below(resources) } : {}),
    ...(locks && kind === 'delivery' && random.below(6) === 0 ? { warehouse: random.below(2) } : {}),
  };
}

function windowsOf(random: Random): Window[] {
  const from = 28_000 + random.below(20_000);
  const to = from + 1_800 + random.below(20_000);
  return random.below(5) === 0
    ? [
        [from, from + 1_800],
        [from + 7_200, to + 7_200],
      ]
    : [[from, to]];
}

function resourceOf(random: Random, features: Features): Resource {
  const from = 28_800 + random.below(4) * 1_800;
  const breaks: Break[] = [];
  if (features.pauses && random.below(3) > 0) breaks.push({ duration: 1_800, earliest: 40_000, latest: 46_000 });
  if (features.pauses && random.below(3) === 0) breaks.push({ duration: 900, earliest: 52_000, latest: 54_000 });
  const limits = features.limits ?? false;
  return {
    start: random.below(2),
    end: features.open && random.below(3) === 0 ? null : random.below(3),
    shift: [from, from + 21_600 + random.below(4) * 3_600],
    breaks,
    ...(features.driveBreaks && random.below(3) === 0 ? { driveBreak: { after: 5_400, duration: 900 } } : {}),
    capacity: [8 + random.below(8), 100 + random.below(200)],
    skills: [0, 1, 2].filter(() => random.below(2) === 0),
    ...(limits && random.below(3) === 0 ? { maxDistance: 60_000 + random.below(40_000) } : {}),
    ...(limits && random.below(3) === 0 ? { maxDuration: 14_400 + random.below(7_200) } : {}),
    ...(limits && random.below(3) === 0 ? { maxStops: 3 + random.below(8) } : {}),
    ...(features.vehicles && random.below(2) === 0 ? { speed: 600 + random.below(1_100) } : {}),
    ...(features.vehicles && random.below(2) === 0 ? { weights: weightsOf(random) } : {}),
  };
}

const weightsOf = (random: Random): Weights => ({
  perRoute: random.below(6_000),
  perMetre: random.below(4),
  perSecond: random.below(5),
  perWait: 0,
});
