/**
 * Calls VROOM through vroom-express (`POST /`, input and output of VROOM 1.14). VROOM gets the service's own matrix, so
 * that its solution is checked against the same distances and durations.
 */
import { EngineFailed, EngineLimit, type Feature, type RouteEngine } from '../../solvers/routes/engine.js';
import type { Matrix, Problem, Solution } from '../../solvers/routes/problem.js';
import { requestRaw, NoResponse } from '../http-request.js';
import { MAIN_THREAD_BODIES, minBodySize, type VroomBodies } from './vroom-bodies.js';

export interface VroomOptions {
  readonly url: string;
  /** Bytes: the `limit` of vroom-express. The server may not respond to larger requests. */
  readonly maxBody: number;
  /** Serializes and parses bodies; absent: in the caller's thread, for tools and tests. */
  readonly bodies?: VroomBodies;
  /** Timeout in addition to the seconds of the search. */
  readonly extraTimeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

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
    budget: { readonly seconds: number; readonly threads: number },
    signal?: AbortSignal,
  ): Promise<Solution> {
    const { maxBody, bodies = MAIN_THREAD_BODIES } = this.options;
    const visits = problem.orders.reduce((sum, { pickup, delivery }) => sum + (pickup ? 1 : 0) + (delivery ? 1 : 0), 0);
    if (visits > this.limits.orders || problem.resources.length > this.limits.resources)
      throw new EngineLimit(`${visits} stops, ${problem.resources.length} vehicles`);
    const least = minBodySize(problem, matrix);
    if (least > maxBody) throw new EngineLimit(`at least ${least} bytes`);
    const body = await bodies.made([problem, matrix, budget], signal);
    if (body.length > maxBody) throw new EngineLimit(`${body.length} bytes`);
    const { status, bytes } = await this.request(body, budget.seconds, signal);
    const { solution, reason } = await bodies.read([bytes, problem], signal);
    if (solution) return solution;
    if (status === 413) throw new EngineLimit(reason ?? `status ${status}`);
    throw new EngineFailed(reason ?? `status ${status} without a plan`);
  }

  private async request(body: Uint8Array, seconds: number, signal: AbortSignal | undefined) {
    const { url, extraTimeoutMs = 10_000 } = this.options;
    try {
      const timeoutMs = seconds * 1_000 + extraTimeoutMs;
      return await requestRaw({ url: `${url}/`, body, timeoutMs, maxBytes: MAX_RESPONSE_BYTES, signal });
    } catch (error) {
      throw error instanceof NoResponse ? new EngineFailed(error.message, { cause: error }) : error;
    }
  }
}
