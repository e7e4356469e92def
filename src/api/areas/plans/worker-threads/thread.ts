/** The entry point of a thread of `run-in-thread.ts`: runs one computation at a time. The pool returns an error to the caller. */
import type { ThreadCall } from './run-in-thread.js';
import { COMPUTATIONS } from './computations.js';

export default ([name, args]: ThreadCall): unknown => (COMPUTATIONS[name] as (...args: unknown[]) => unknown)(...args);
