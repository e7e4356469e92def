/** The inside of a thread beside the solver's: one piece of work at a time. A failure goes back to its caller. */
import type { AsideCall } from './aside.js';
import { WORK } from './work.js';

export default ([name, args]: AsideCall): unknown => (WORK[name] as (...args: unknown[]) => unknown)(...args);
