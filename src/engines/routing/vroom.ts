/**
 * VROOM through vroom-express (`POST /`, input and output of VROOM 1.14). It is given our own matrix, so that what it
 * finds is checked over the same ways.
 */
import { z } from 'zod';
import { EngineFailed, EngineLimit, type Feature, type RouteEngine } from '../../solvers/routes/engine.js';
import type { Matrix, Problem, Solution } from '../../solvers/routes/problem.js';
import { askJson, NoAnswer } from '../ask.js';
import { solutionOf, vroomInput, vroomOutput } from './vroom-problem.js';

export interface VroomOptions {
  readonly url: string;
  /** Bytes: the `limit` of vroom-express. Beyond it the server may not answer at all. */
  readonly maxBody: number;
  /** Beyond the seconds of the search. */
  readonly patienceMs?: number;
}

/** Deepest exploration, and fewest seconds that each level is worth. */
const EXPLORATION = 5;
const MAX_ANSWER = 16 * 1024 * 1024;

const failed = z.object({ code: z.number(), error: z.string() });

export class Vroom implements RouteEngine {
  readonly id = 'vroom';
  readonly version = '1';
  readonly name = 'VROOM (vroom-express)';
  readonly capabilities: readonly Feature[] = [];
  /** Defaults of vroom-express. */
  readonly limits = { orders: 1_000, resources: 200 };

  constructor(private readonly options: VroomOptions) {}

  async solve(
    problem: Problem,
    matrix: Matrix,
    { seconds, threads }: { readonly seconds: number; readonly threads: number },
    signal?: AbortSignal,
  ): Promise<Solution> {
    const visits = problem.orders.reduce((sum, { pickup, delivery }) => sum + (pickup ? 1 : 0) + (delivery ? 1 : 0), 0);
    if (visits > this.limits.orders || problem.resources.length > this.limits.resources)
      throw new EngineLimit(`${visits} stops, ${problem.resources.length} vehicles`);
    const body = JSON.stringify({
      ...vroomInput(problem, matrix),
      options: { g: false, l: seconds, t: threads, x: EXPLORATION },
    });
    const size = Buffer.byteLength(body);
    if (size > this.options.maxBody) throw new EngineLimit(`${size} bytes`);
    const { status, json } = await this.ask(body, seconds, signal);
    const found = vroomOutput.safeParse(json);
    if (found.success) return solutionOf(found.data, problem);
    const why = failed.safeParse(json).data;
    if (status === 413) throw new EngineLimit(why?.error ?? `status ${status}`);
    throw new EngineFailed(why?.error ?? `status ${status}, and no plan`);
  }

  private async ask(body: string, seconds: number, signal: AbortSignal | undefined) {
    const { url, patienceMs = 10_000 } = this.options;
    try {
      const timeoutMs = seconds * 1_000 + patienceMs;
      return await askJson({ url: `${url}/`, body, timeoutMs, maxBytes: MAX_ANSWER, signal });
    } catch (error) {
      throw error instanceof NoAnswer ? new EngineFailed(error.message, { cause: error }) : error;
    }
  }
}
