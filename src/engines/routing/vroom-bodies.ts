/**
 * Request and response bodies of VROOM, as bytes. They are several megabytes large, so a worker thread serializes and
 * parses them.
 */
import { z } from 'zod';
import { EngineFailed } from '../../solvers/routes/engine.js';
import type { Matrix, Problem, Solution } from '../../solvers/routes/problem.js';
import { kindsOf } from '../../solvers/routes/vehicle.js';
import { solutionOf, vroomInput, vroomOutput } from './vroom-problem.js';

/** Maximum exploration level of VROOM. */
const EXPLORATION = 5;

/** A request body for vroom-express. */
export function vroomBody(
  problem: Problem,
  matrix: Matrix,
  { seconds, threads }: { seconds: number; threads: number },
): Uint8Array {
  const options = { g: false, l: seconds, t: threads, x: EXPLORATION };
  return Buffer.from(JSON.stringify({ ...vroomInput(problem, matrix), options }));
}

/** Minimum size of a body: two matrices for each kind of vehicle, with a digit and a separator for each cell. */
export const minBodySize = (problem: Problem, { size }: Matrix): number =>
  Math.max(1, new Set(kindsOf(problem)).size) * 2 * 2 * size ** 2;

const failed = z.object({ code: z.number(), error: z.string() });

/** Parsed response: a solution, or the reason why there is none, if the response contains it. */
export interface VroomResponse {
  readonly solution?: Solution;
  readonly reason?: string | undefined;
}

export function parseVroomResponse(bytes: Uint8Array, problem: Problem): VroomResponse {
  try {
    const json: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
    const found = vroomOutput.safeParse(json);
    return found.success
      ? { solution: solutionOf(found.data, problem) }
      : { reason: failed.safeParse(json).data?.error };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    if (error instanceof EngineFailed) return { reason: error.message };
    throw error;
  }
}

/** Serializes and parses bodies, possibly in a worker thread. An abort throws the signal's reason. */
export interface VroomBodies {
  made(args: Parameters<typeof vroomBody>, signal?: AbortSignal): Promise<Uint8Array>;
  read(args: Parameters<typeof parseVroomResponse>, signal?: AbortSignal): Promise<VroomResponse>;
}

export const MAIN_THREAD_BODIES: VroomBodies = {
  made: async (args) => vroomBody(...args),
  read: async (args) => parseVroomResponse(...args),
};
