/** Runs tasks with a common name one after the other, and all others at the same time. */

/**
 * Returns a function that runs a task after all earlier tasks with one of its names. A task gets all its names at once,
 * so tasks never wait for each other in a circle.
 */
export function createNameLock() {
  const running = new Map<string, Promise<unknown>>();

  return async <T>(names: readonly string[], task: () => Promise<T>): Promise<T> => {
    for (;;) {
      const earlier = names.flatMap((name) => running.get(name) ?? []);
      if (earlier.length === 0) break;
      await Promise.allSettled(earlier);
    }
    const run = task();
    for (const name of names) running.set(name, run);
    try {
      return await run;
    } finally {
      for (const name of names) running.delete(name);
    }
  };
}
