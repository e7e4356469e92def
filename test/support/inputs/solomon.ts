import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Matrix, Problem } from '../../../src/solvers/routes/problem.js';

/** Public routing instances and their best-known values, if present. */
const BENCHMARKS = join(process.env['SHARED_DIR'] ?? '../shared', 'benchmarks');

/**
 * Distances and times of the instances are floating-point numbers; here they are thousandths, rounded to the nearest
 * integer.
 */
export const SCALE = 1_000;

export interface Instance {
  readonly name: string;
  readonly problem: Problem;
  readonly matrix: Matrix;
  readonly best: { readonly distance: number; readonly vehicles: number };
  /** Length of a solution's routes in floating point. */
  readonly distanceOf: (routes: readonly (readonly number[])[]) => number;
  readonly breaks: (routes: readonly (readonly number[])[]) => string | null;
}

export const hasBenchmarks = (): boolean => existsSync(join(BENCHMARKS, 'solomon'));

export const benchmarkText = (name: string): string => readFileSync(join(BENCHMARKS, name), 'utf8');

/** Returns every instance in the folder's table of best-known values. */
export function namesOf(folder: 'solomon' | 'scale'): string[] {
  return rows(folder).map((row) => row['instance']!);
}

export interface Reading {
  /** Weight of a route, for problems that minimize the number of vehicles. */
  readonly perRoute?: number;
  readonly scale?: number;
  /** Rounding of times and distances. Rounding down keeps exact solutions valid. */
  readonly round?: (value: number) => number;
}

export function readInstance(folder: 'solomon' | 'scale', name: string, reading: Reading = {}): Instance {
  const { perRoute = 0, scale = SCALE, round = Math.round } = reading;
  const row = rows(folder).find((one) => one['instance'] === name)!;
  const lines = benchmarkText(`${folder}/${name}.txt`).split(/\r?\n/);
  const numbers = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const [vehicles, capacity] = numbers.find((line) => line.length === 2 && !Number.isNaN(line[0]))! as [number, number];
  const nodes = numbers.filter((line) => line.length === 7 && !line.some(Number.isNaN));
  const [, , , , open, close] = nodes[0]! as [number, number, number, number, number, number];
  const between = (from: number, to: number): number =>
    Math.hypot(nodes[from]![1]! - nodes[to]![1]!, nodes[from]![2]! - nodes[to]![2]!);
  const size = nodes.length;
  const distance = new Int32Array(size * size);
  for (let from = 0; from < size; from += 1)
    for (let to = 0; to < size; to += 1) distance[from * size + to] = round(between(from, to) * scale);
  const problem: Problem = {
    places: size,
    capacities: 1,
    orders: nodes
      .slice(1)
      .map(([place, , , demand, ready, due, service]) => ({
        delivery: { place: place!, service: service! * scale, windows: [[ready! * scale, due! * scale]] },
        size: [demand!],
        skills: [],
        priority: 0,
      })),
    resources: Array.from({ length: vehicles }, () => ({
      start: 0,
      end: 0,
      shift: [open * scale, close * scale] as const,
      breaks: [],
      capacity: [capacity],
      skills: [],
    })),
    weights: { perRoute, perMetre: 1, perSecond: 0, perWait: 0 },
  };
  const distanceOf = (routes: readonly (readonly number[])[]): number =>
    routes.reduce((sum, route) => {
      const stops = [0, ...route, 0];
      return sum + stops.slice(1).reduce((way, stop, at) => way + between(stops[at]!, stop), 0);
    }, 0);
  return {
    name,
    problem,
    matrix: { size, distance, duration: distance },
    best: {
      distance: Number(row['best_distance']),
      vehicles: Number(row['best_distance_vehicles'] ?? row['best_vehicles']),
    },
    distanceOf,
    breaks: (routes) => brokenRule(routes, nodes, capacity, between),
  };
}

/** Checks the rules of the instances in floating point without rounding. Returns the broken rule, or null. */
function brokenRule(
  routes: readonly (readonly number[])[],
  nodes: readonly (readonly number[])[],
  capacity: number,
  between: (from: number, to: number) => number,
): string | null {
  const seen = new Set(routes.flat());
  if (seen.size !== nodes.length - 1 || routes.flat().length !== nodes.length - 1) return 'not every customer once';
  for (const route of routes) {
    if (route.reduce((sum, stop) => sum + nodes[stop]![3]!, 0) > capacity) return 'capacity';
    let clock = nodes[0]![4]!;
    let place = 0;
    for (const stop of [...route, 0]) {
      clock = Math.max(clock + between(place, stop), nodes[stop]![4]!);
      if (clock > nodes[stop]![5]! + 1e-9) return `late at ${stop} by ${clock - nodes[stop]![5]!}`;
      clock += nodes[stop]![6]!;
      place = stop;
    }
  }
  return null;
}

function rows(folder: string): Record<string, string>[] {
  const [head, ...lines] = benchmarkText(`${folder}/best-known.csv`).trim().split(/\r?\n/);
  const names = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, at) => [names[at]!, value])));
}
