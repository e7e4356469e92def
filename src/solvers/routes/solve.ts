import type { Solution } from './problem.js';
import type { Leg } from './search/search.js';

/** How long to look: seconds or iterations (of each worker). */
export interface Budget {
  readonly seconds?: number;
  readonly iterations?: number;
  readonly seed: number;
}

/** What was done, leg by leg: with it and the seed the same plan is found again. */
export interface Trace {
  readonly legs: readonly Leg[];
  /** Iterations by leg and worker: fewer than the leg's where the search was stopped. */
  readonly done: readonly (readonly number[])[];
}

export interface Solved {
  readonly solution: Solution;
  readonly trace: Trace;
  readonly iterations: number;
  readonly seconds: number;
  /** Ended by `stop` before its budget was used. */
  readonly stopped: boolean;
}

/** One worker's search, wherever it runs. Calls do not overlap. */
export interface Runner {
  /** Until the leg is done, `until` (epoch milliseconds) has come, or somebody wants to stop. */
  run(leg: Leg, until: number): Promise<{ done: number; cost: number }>;
  best(): Promise<Solution>;
  adopt(solution: Solution): Promise<void>;
  complete(): Promise<{ cost: number }>;
}

export interface Watch {
  /** Aborted: stop and give back the best so far. */
  readonly stop?: AbortSignal;
  /** Aborted: stop and throw its reason. */
  readonly cancel?: AbortSignal;
  /** After each leg: share of the budget, cost of the best plan so far. */
  readonly onProgress?: (fraction: number, cost: number) => void;
}

/** Legs of a search. At the end of each the workers meet. */
const LEGS = 20;
/** The first leg of a search by the clock only finds out how fast it is. */
const FIRST = 64;
/** From this share on all workers continue from the best plan. */
const TOGETHER = 0.5;
/** Share of the time kept for the end: putting in what still fits. */
const RESERVE = 0.02;

/**
 * Finds a plan. By the clock, each leg is as long as the speed of the one before allows; what was done is in the trace,
 * so the plan is repeated exactly although no two machines are equally fast.
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

/** The same plan again. Runners must have the seed of the first time, and be as many. */
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

/** The index of the least cost; of equals the first. */
function best(costs: readonly number[]): number {
  return costs.indexOf(Math.min(...costs));
}

/** Before a leg of the second half all continue from the best plan so far. */
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
