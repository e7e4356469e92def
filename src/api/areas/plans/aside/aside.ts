/** Work of a plan that would keep everybody else waiting: done in a thread of its own. */
import { Worker } from 'node:worker_threads';
import type { VroomBodies } from '../../../../engines/routing/vroom-bodies.js';
import type { Work } from './work.js';

/** What a thread is started with. */
export type AsideCall = { readonly [Name in keyof Work]: readonly [Name, Parameters<Work[Name]>] }[keyof Work];

/** Heap of a thread, in MiB: as the solver's. */
const MEMORY = 1_024;

/** Threads in a process at a time; further work waits. */
const AT_ONCE = 2;
const MOST_WAITING = 30;
let running = 0;
const waiting = new Set<() => void>();

/** So much waits that somebody who can ask again later is turned away. Jobs wait: there are only so many of them. */
export const isCrowded = (): boolean => waiting.size >= MOST_WAITING;

/** Resolves with what the work gives back. Aborted, the thread ends at once, and the signal's reason is thrown. */
export async function aside<Name extends keyof Work>(
  name: Name,
  args: Parameters<Work[Name]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Work[Name]>>> {
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.add(resolve));
  try {
    return await inThread(name, args, signal);
  } finally {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else running -= 1;
  }
}

/** The bodies of VROOM, made and read in a thread. */
export const bodiesAside: VroomBodies = {
  made: (args, signal) => aside('vroomBody', args, signal),
  read: (args, signal) => aside('vroomAnswer', args, signal),
};

function inThread<Name extends keyof Work>(
  name: Name,
  args: Parameters<Work[Name]>,
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<Work[Name]>>> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const thread = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: [name, args],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY },
    });
    const end = (): void => {
      reject(signal!.reason as Error);
      void thread.terminate();
    };
    signal?.addEventListener('abort', end);
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => {
      signal?.removeEventListener('abort', end);
      reject(new Error(`the thread for ${name} of a plan ended`));
    });
  });
}
