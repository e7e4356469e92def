/** Runs the long computations of a plan in threads, so that other requests do not wait for them. */
import { Piscina } from 'piscina';
import type { VroomBodies } from '../../../../engines/routing/vroom-bodies.js';
import type { Computations } from './computations.js';

/** The message to a thread: the name of a computation, and its arguments. */
export type ThreadCall = {
  readonly [Name in keyof Computations]: readonly [Name, Parameters<Computations[Name]>];
}[keyof Computations];

/** Heap of a thread, in MiB: as the solver's. */
const MAX_HEAP_MIB = 1_024;

/** Threads in a process at a time; additional work waits. */
const MAX_THREADS = 2;
const MAX_WAITING = 30;

/** An idle thread stays for this time: starting one costs more CPU than most computations. */
const IDLE_MS = 10_000;

let pool: Piscina | undefined;
let unfinished = 0;

function getPool(): Piscina {
  if (pool) return pool;
  const newPool = new Piscina({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  // A thread failed outside a computation. Destroying the pool rejects the computations that wait for a thread; the
  // next one gets a new pool.
  newPool.on('error', () => {
    if (pool === newPool) pool = undefined;
    void newPool.destroy();
  });
  return (pool = newPool);
}

/** Whether so many computations wait that requests are rejected. Jobs still wait, because their number is limited. */
export const isOverloaded = (): boolean => unfinished >= MAX_THREADS + MAX_WAITING;

/**
 * Resolves with the result of the computation. When the signal aborts, the thread ends at once, and the signal's reason
 * is thrown.
 */
export async function runInThread<Name extends keyof Computations>(
  name: Name,
  args: Parameters<Computations[Name]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Computations[Name]>>> {
  unfinished += 1;
  try {
    signal?.throwIfAborted();
    return (await getPool().run([name, args], { signal: signal ?? null })) as Awaited<ReturnType<Computations[Name]>>;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    unfinished -= 1;
  }
}

/** Builds and parses the bodies of VROOM requests in a thread. */
export const threadedBodies: VroomBodies = {
  made: (args, signal) => runInThread('vroomBody', args, signal),
  read: (args, signal) => runInThread('vroomAnswer', args, signal),
};
