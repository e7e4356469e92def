/** Work of a plan that would keep everybody else waiting: done in threads of their own. */
import { Piscina } from 'piscina';
import type { VroomBodies } from '../../../../engines/routing/vroom-bodies.js';
import { once } from '../../../core/once.js';
import type { Work } from './work.js';

/** What a thread is asked for. */
export type AsideCall = { readonly [Name in keyof Work]: readonly [Name, Parameters<Work[Name]>] }[keyof Work];

/** Heap of a thread, in MiB: as the solver's. */
const MEMORY = 1_024;

/** Threads in a process at a time; further work waits. */
const AT_ONCE = 2;
const MOST_WAITING = 30;

/** Starting a thread costs more than most plans do in it: it stays for the next piece of work for so long. */
const IDLE_MS = 10_000;

const threads = once(
  () =>
    new Piscina({
      filename: new URL('./thread.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: AT_ONCE,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    }),
);
let unfinished = 0;

/** So much waits that somebody who can ask again later is turned away. Jobs wait: there are only so many of them. */
export const isCrowded = (): boolean => unfinished >= AT_ONCE + MOST_WAITING;

/** Resolves with what the work gives back. Aborted, its thread ends at once, and the signal's reason is thrown. */
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

/** The bodies of VROOM, made and read in a thread. */
export const bodiesAside: VroomBodies = {
  made: (args, signal) => aside('vroomBody', args, signal),
  read: (args, signal) => aside('vroomAnswer', args, signal),
};
