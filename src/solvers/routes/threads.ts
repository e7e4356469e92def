import { Worker } from 'node:worker_threads';
import { checkProblem } from './limits.js';
import type { Matrix, Problem, Solution } from './problem.js';
import { repeatWith, solveWith, type Budget, type Runner, type Solved, type Trace, type Watch } from './solve.js';

/** Start parameters of a worker thread. */
export interface ThreadStart {
  readonly problem: Problem;
  readonly matrix: Matrix;
  readonly seed: number;
  readonly worker: number;
  /** Solver version; absent: the current one. */
  readonly version?: number | undefined;
  /** Becomes nonzero when a stop is requested. */
  readonly stopFlag: Int32Array;
}

/** A call of a runner method with its arguments. */
export type ThreadCall = {
  readonly [Name in keyof Runner]: readonly [Name, ...Parameters<Runner[Name]>];
}[keyof Runner];

export interface ThreadOptions {
  readonly threads: number;
  /** Maximum heap size of a thread, in MiB. */
  readonly memory?: number;
  /** Solver version; absent: the current one. */
  readonly version?: number;
}

/** Parameters that produced a plan. */
export interface Made {
  readonly seed: number;
  readonly trace: Trace;
  /** Solver version; absent: the current one. */
  readonly version?: number;
}

/**
 * Finds a plan in worker threads without blocking the calling thread. Reacts to stop and cancel within 16 iterations.
 */
export async function solveInThreads(
  problem: Problem,
  matrix: Matrix,
  budget: Budget,
  options: ThreadOptions,
  watch: Watch = {},
): Promise<Solved> {
  watch.cancel?.throwIfAborted();
  return withThreads(problem, matrix, budget.seed, options, [watch.stop, watch.cancel], (runners) =>
    solveWith(runners, budget, watch),
  );
}

/** Reproduces a plan from its trace. */
export async function repeatInThreads(
  problem: Problem,
  matrix: Matrix,
  { seed, trace, version }: Made,
  cancel?: AbortSignal,
): Promise<Solution> {
  const options = { threads: trace.done[0]?.length ?? 1, ...(version !== undefined && { version }) };
  return withThreads(problem, matrix, seed, options, [cancel], (runners) => repeatWith(runners, trace, cancel));
}

async function withThreads<T>(
  problem: Problem,
  matrix: Matrix,
  seed: number,
  { threads, memory = 1_024, version }: ThreadOptions,
  signals: readonly (AbortSignal | undefined)[],
  work: (runners: readonly Runner[]) => Promise<T>,
): Promise<T> {
  checkProblem(problem, matrix);
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  if (signals.some((signal) => signal?.aborted)) stopFlag[0] = 1;
  const shared = { size: matrix.size, distance: inShared(matrix.distance), duration: inShared(matrix.duration) };
  const started = Array.from({ length: threads }, (_, worker) => {
    const workerData: ThreadStart = { problem, matrix: shared, seed, worker, version, stopFlag };
    return new Worker(new URL('./thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
  });
  const end = (): void => void Atomics.store(stopFlag, 0, 1);
  for (const signal of signals) signal?.addEventListener('abort', end);
  try {
    return await work(started.map(runnerIn));
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', end);
    await Promise.all(started.map((thread) => thread.terminate()));
  }
}

function runnerIn(thread: Worker): Runner {
  let fail: (reason: Error) => void = () => {};
  let gone: Error | null = null;
  const lose = (error: Error): void => {
    gone = error;
    fail(error);
  };
  thread.on('error', lose);
  thread.on('exit', () => lose(gone ?? new Error('the solver thread ended unexpectedly')));
  const call = <T>(...message: ThreadCall): Promise<T> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      fail = reject;
      thread.once('message', resolve);
      thread.postMessage(message);
    });
  return {
    run: (leg, until) => call('run', leg, until),
    best: () => call('best'),
    adopt: (solution) => call('adopt', solution),
    complete: () => call('complete'),
  };
}

function inShared(cells: Int32Array): Int32Array {
  if (cells.buffer instanceof SharedArrayBuffer) return cells;
  const copy = new Int32Array(new SharedArrayBuffer(cells.byteLength));
  copy.set(cells);
  return copy;
}
