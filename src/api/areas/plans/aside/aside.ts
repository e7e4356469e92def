/** Runs the long computations of a plan in threads, so that other requests do not wait for them. */
import { Piscina } from 'piscina';
import type { VroomBodies } from '../../../../engines/routing/vroom-bodies.js';
import type { Work } from './work.js';

/** The message to a thread: the name of a computation, and its arguments. */
export type AsideCall = { readonly [Name in keyof Work]: readonly [Name, Parameters<Work[Name]>] }[keyof Work];

/** Heap of a thread, in MiB: as the solver's. */
const MEMORY = 1_024;

/** Threads in a process at a time; further work waits. */
const AT_ONCE = 2;
const MOST_WAITING = 30;

/** An idle thread stays for this time: starting one costs more CPU than most computations. */
const IDLE_MS = 10_000;

let pool: Piscina | undefined;
let unfinished = 0;

function threads(): Piscina {
  if (pool) return pool;
  const made = new Piscina({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: AT_ONCE,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  // A thread failed outside a computation. Destroying the pool rejects the computations that wait for a thread; the
  // next one gets a new pool.
  made.on('error', () => {
    if (pool === made) pool = undefined;
    void made.destroy();
  });
  return (pool = made);
}

/** Whether so many computations wait that requests are rejected. Jobs still wait, because their number is limited. */
export const isCrowded = (): boolean => unfinished >= AT_ONCE + MOST_WAITING;

/**
 * Resolves with the result of the computation. When the signal aborts, the thread ends at once, and the signal's reason
 * is thrown.
 */
export async function aside<Name extends keyof Work>(
  name: Name,
  args: Parameters<Work[Name]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Work[Name]>>> {
  unfinished += 1;
  try {
    signal?.throwIfAborted();
    return (await threads().run([name, args], { signal: signal ?? null })) as Awaited<ReturnType<Work[Name]>>;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    unfinished -= 1;
  }
}

/** Builds and parses the bodies of VROOM requests in a thread. */
export const bodiesAside: VroomBodies = {
  made: (args, signal) => aside('vroomBody', args, signal),
  read: (args, signal) => aside('vroomAnswer', args, signal),
};
