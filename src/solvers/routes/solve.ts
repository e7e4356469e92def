import type { Solution } from './problem.js';
import type { Leg } from './search/search.js';

/** Search budget: seconds, or iterations per worker. */
export interface Budget {
  readonly seconds?: number;
  readonly iterations?: number;
  readonly seed: number;
}

/** Record of the search, leg by leg. Together with the seed it reproduces the same plan. */
export interface Trace {
  readonly legs: readonly Leg[];
  /** Completed iterations by leg and worker; fewer than the leg has if the search was stopped. */
  readonly done: readonly (readonly number[])[];
}

export interface Solved {
  readonly solution: Solution;
  readonly trace: Trace;
  readonly iterations: number;
  readonly seconds: number;
  /** The search was ended by `stop` before its budget was used. */
  readonly stopped: boolean;
}

/** The search of one worker, in any thread. Calls do not overlap. */
export interface Runner {
  /** Runs until the leg is done, `until` (epoch milliseconds) is reached, or a stop is requested. */
  run(leg: Leg, until: number): Promise<{ done: number; cost: number }>;
  best(): Promise<Solution>;
  adopt(solution: Solution): Promise<void>;
  complete(): Promise<{ cost: number }>;
}

export interface Watch {
  /** If aborted, the search stops and returns the best plan so far. */
  readonly stop?: AbortSignal;
  /** If aborted, the search stops and throws the abort reason. */
  readonly cancel?: AbortSignal;
  /** Called after each leg with the used share of the budget and the cost of the best plan so far. */
  readonly onProgress?: (fraction: number, cost: number) => void;
}

/** Number of legs of a search. The workers synchronize after each leg. */
const LEGS = 20;
/** Iterations of the first leg of a timed search, which measures the speed. */
const FIRST = 64;
/** From this share of the search on, all workers continue from the best plan. */
const TOGETHER = 0.5;
/** Share of the time reserved for the end, when orders that still fit are inserted. */
const RESERVE = 0.02;

/**
 * Finds a plan. In a timed search, the length of each leg follows from the speed of the previous one. The trace records
 * the iterations, so the plan can be reproduced on a machine of another speed.
 */
export async function solveWith(runners: readonly Runner[], budget: Budget, watch: Watch = {}): Promise<Solved> {
  const began = Date.now();
  const clock = performance.now();
  const limit = (budget.seconds ?? Infinity) * 1_000;
  const until = began + limit * (1 - RESERVE);
  const legs: Leg[] = [];
  const done: number[][] = [];
  let from = 0;
  let speed = 0;
  let costs: number[] = [];
  let stopped = false;
  while (from < 1) {
    const elapsed = performance.now() - clock;
    const leg =
      budget.iterations === undefined ? timedLeg(from, elapsed, limit, speed) : evenLeg(from, budget.iterations);
    if (elapsed >= limit * (1 - RESERVE)) break;
    await meet(runners, leg, costs);
    const results = await Promise.all(runners.map((runner) => runner.run(leg, until)));
    watch.cancel?.throwIfAborted();
    legs.push(leg);
    done.push(results.map((result) => result.done));
    costs = results.map(({ cost }) => cost);
    speed = Math.min(...done.at(-1)!) / Math.max(0.01, performance.now() - clock - elapsed);
    from = leg.to;
    watch.onProgress?.(from, Math.min(...costs));
    stopped = watch.stop?.aborted ?? false;
    if (stopped || results.some((result) => result.done < leg.iterations)) break;
  }
  const solution = await conclude(runners);
  watch.cancel?.throwIfAborted();
  const iterations = done.flat().reduce((sum, count) => sum + count, 0);
  return { solution, trace: { legs, done }, iterations, seconds: (performance.now() - clock) / 1_000, stopped };
}

/** Reproduces a plan. The runners must have the original seed and the original number of workers. */
export async function repeatWith(runners: readonly Runner[], trace: Trace, cancel?: AbortSignal): Promise<Solution> {
  let costs: number[] = [];
  for (const [index, leg] of trace.legs.entries()) {
    await meet(runners, leg, costs);
    const results = await Promise.all(
      runners.map((runner, worker) => runner.run({ ...leg, only: trace.done[index]![worker]! }, Infinity)),
    );
    cancel?.throwIfAborted();
    costs = results.map(({ cost }) => cost);
  }
  return conclude(runners);
}

function evenLeg(from: number, iterations: number): Leg {
  const index = Math.round(from * LEGS);
  const share = (at: number): number => Math.floor((iterations * at) / LEGS);
  return { iterations: share(index + 1) - share(index), from, to: (index + 1) / LEGS };
}

function timedLeg(from: number, elapsed: number, limit: number, speed: number): Leg {
  if (speed === 0) return { iterations: FIRST, from, to: 0.01 };
  const whole = limit * (1 - RESERVE);
  const here = Math.max(from, elapsed / whole);
  const to = here + 1.5 / LEGS >= 1 ? 1 : here + 1 / LEGS;
  const time = Math.max(0, to * whole - elapsed);
  return { iterations: Math.max(FIRST, Math.floor(speed * time)), from, to };
}

/** Returns the index of the lowest cost; the first one if several are equal. */
function best(costs: readonly number[]): number {
  return costs.indexOf(Math.min(...costs));
}

/** Makes all workers continue from the best plan so far before each leg of the second half. */
async function meet(runners: readonly Runner[], leg: Leg, costs: readonly number[]): Promise<void> {
  if (runners.length === 1 || costs.length === 0 || leg.from < TOGETHER) return;
  const first = best(costs);
  const solution = await runners[first]!.best();
  await Promise.all(runners.map((runner, index) => (index === first ? undefined : runner.adopt(solution))));
}

async function conclude(runners: readonly Runner[]): Promise<Solution> {
  const costs = await Promise.all(runners.map((runner) => runner.complete()));
  return runners[best(costs.map(({ cost }) => cost))]!.best();
}
