import { Worker } from 'node:worker_threads';
import { checkProblem } from './limits.js';
import type { Matrix, Problem, Solution } from './problem.js';
import { repeatWith, solveWith, type Budget, type Runner, type Solved, type Trace, type Watch } from './solve.js';

/** What a thread is started with. */
export interface ThreadStart {
  readonly problem: Problem;
  readonly matrix: Matrix;
  readonly seed: number;
  readonly worker: number;
  /** Of the solver; absent: the present one. */
  readonly version?: number | undefined;
  /** Not 0 as soon as somebody wants to stop. */
  readonly wish: Int32Array;
}

/** A call of a runner, and what comes back. */
export type ThreadCall = {
  readonly [Name in keyof Runner]: readonly [Name, ...Parameters<Runner[Name]>];
}[keyof Runner];

export interface ThreadOptions {
  readonly threads: number;
  /** Heap of a thread, in MiB. */
  readonly memory?: number;
  /** Of the solver; absent: the present one. */
  readonly version?: number;
}

/** What a plan was made by. */
export interface Made {
  readonly seed: number;
  readonly trace: Trace;
  /** Of the solver; absent: the present one. */
  readonly version?: number;
}

/** Finds a plan in threads of its own: the caller's stays free. Cancelled or stopped within 16 iterations. */
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

/** The same plan again, from the trace of the first time. */
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
  const wish = new Int32Array(new SharedArrayBuffer(4));
  if (signals.some((signal) => signal?.aborted)) wish[0] = 1;
  const shared = { size: matrix.size, distance: inShared(matrix.distance), duration: inShared(matrix.duration) };
  const started = Array.from({ length: threads }, (_, worker) => {
    const workerData: ThreadStart = { problem, matrix: shared, seed, worker, version, wish };
    return new Worker(new URL('./thread.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
  });
  const end = (): void => void Atomics.store(wish, 0, 1);
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
  thread.on('exit', () => lose(gone ?? new Error('the thread of the solver ended')));
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
