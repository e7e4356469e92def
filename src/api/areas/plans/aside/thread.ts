/** The entry point of a thread of `aside.ts`: runs one computation at a time. The pool returns an error to the caller. */
import type { AsideCall } from './aside.js';
import { WORK } from './work.js';

export default ([name, args]: AsideCall): unknown => (WORK[name] as (...args: unknown[]) => unknown)(...args);
