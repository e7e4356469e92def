/** Waiting for a state that comes sooner or later, however slow the machine is. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends a wait that would never end, with a sentence that says what is missing: half of the time-out of mocha
 * (package.json), and far more than ten times what any wait takes on an idle machine. In milliseconds.
 */
export const WAIT_LIMIT_MS = 300_000;
const LOOK_AGAIN_MS = 20;

/**
 * Resolves with the first truthy result of `check`.
 * `what`: the awaited state, for the message; a function is called when the wait is given up.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  what: string | (() => string),
  { every = LOOK_AGAIN_MS, limit = WAIT_LIMIT_MS }: { readonly every?: number; readonly limit?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  for (const end = performance.now() + limit; ; await sleep(every)) {
    const result = await check();
    if (result) return result as Exclude<T, false | 0 | '' | null | undefined>;
    if (performance.now() > end) throw new Error(`Not within ${limit} ms: ${typeof what === 'string' ? what : what()}`);
  }
}

/** Resolves as soon as `assertions` pass; rejects with the last failure. */
export async function eventuallyPasses(assertions: () => unknown): Promise<void> {
  let failure: unknown;
  const passes = async (): Promise<boolean> => {
    try {
      await assertions();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await eventually(passes, () => String(failure)).catch(() => {
    throw failure;
  });
}

/** The job once it has ended. `read` asks for it with `?wait=`, which ends earlier than the job on a slow machine. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const endedJob = (read: () => Promise<{ readonly json: any }>): Promise<any> =>
  eventually(async () => {
    const { job } = (await read()).json;
    return job.finished_at !== null && job;
  }, 'the end of a job');
