/** Waits for a state that is reached eventually, at any speed of the machine. */
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Ends a wait that would never end, with a message about the missing state. It is half of mocha's timeout
 * (.mocharc.cjs), and far more than ten times the duration of any wait on an idle machine. In milliseconds.
 */
export const WAIT_LIMIT_MS = 300_000;
const POLL_MS = 20;

/**
 * Resolves with the first truthy result of `check`.
 * `what`: the awaited state for the message; a function is called when the wait times out.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  what: string | (() => string),
  { every = POLL_MS, limit = WAIT_LIMIT_MS }: { readonly every?: number; readonly limit?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  for (const end = performance.now() + limit; ; await sleep(every)) {
    const result = await check();
    if (result) return result as Exclude<T, false | 0 | '' | null | undefined>;
    if (performance.now() > end) throw new Error(`Not within ${limit} ms: ${typeof what === 'string' ? what : what()}`);
  }
}

/** Resolves when `assertions` pass; rejects with the last failure. */
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

/**
 * Returns the job after its end. `read` requests it with `?wait=`, which can return before the job ends on a slow
 * machine.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const waitForJob = (read: () => Promise<{ readonly json: any }>): Promise<any> =>
  eventually(async () => {
    const { job } = (await read()).json;
    return job.finished_at !== null && job;
  }, 'the end of a job');
