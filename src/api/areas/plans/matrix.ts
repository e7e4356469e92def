/** Distance matrices of plans: measured without a map, adjusted for traffic, compressed for storage. */
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { Haversine } from '../../../solvers/distances/haversine.js';
import type { Matrix } from '../../../solvers/routes/problem.js';
import type { PlanProblem } from './problem.js';

/** Input for measuring great circles. */
export type GreatCircleInput = Pick<PlanProblem, 'positions' | 'roadFactorPercent' | 'speeds' | 'trafficPercent'>;

/**
 * Deterministic: the same input gives the same matrix on any machine with the same arithmetic. The fingerprint shows
 * differences.
 */
export async function greatCircles({ positions, roadFactorPercent, speeds, trafficPercent }: GreatCircleInput) {
  const distances = new Haversine({
    roadFactor: roadFactorPercent / 100,
    speeds: speeds.map(({ metres, kmh }) => [metres, kmh] as const),
  });
  return inTraffic(await distances.matrix(positions), trafficPercent);
}

/** Multiplies all durations by `percent` / 100. Uses memory that threads share. */
export function inTraffic({ size, distance, duration }: Matrix, percent: number): Matrix {
  const slowed =
    percent === 100
      ? duration
      : duration.map((seconds) => (seconds < 0 ? seconds : Math.round((seconds * percent) / 100)));
  return { size, distance: toSharedMemory(distance), duration: toSharedMemory(slowed) };
}

function toSharedMemory(cells: Int32Array): Int32Array {
  if (cells.buffer instanceof SharedArrayBuffer) return cells;
  const copy = new Int32Array(new SharedArrayBuffer(cells.byteLength));
  copy.set(cells);
  return copy;
}

const deflate = promisify(deflateRaw);
const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Rows of metres, then rows of seconds: 32 bits each, little-endian, deflated. */
export function packMatrix({ distance, duration }: Matrix): Promise<Buffer> {
  const cells = Buffer.alloc(4 * (distance.length + duration.length));
  distance.forEach((value, index) => cells.writeInt32LE(value, 4 * index));
  duration.forEach((value, index) => cells.writeInt32LE(value, 4 * (distance.length + index)));
  return deflate(cells);
}

export async function unpackMatrix(content: Uint8Array, size: number): Promise<Matrix> {
  const cells = await inflate(content, { maxOutputLength: 8 * size * size });
  const part = (from: number): Int32Array =>
    toSharedMemory(Int32Array.from({ length: size * size }, (_, index) => cells.readInt32LE(4 * (from + index))));
  return { size, distance: part(0), duration: part(size * size) };
}
