/** Ends a process when its parent has ended, also while its main thread is busy. */
import { Worker } from 'node:worker_threads';

/** Interval of the check, in milliseconds. */
const CHECK_MS = 1_000;

const GUARD = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${CHECK_MS});
`;

/**
 * A child learns from its channel that the parent has ended, but only when it waits for messages. A separate
 * thread sees that the system has given the process another parent.
 */
export function endWithParent(): void {
  new Worker(GUARD, { eval: true }).unref();
}
