/** Lint rules that keep test results independent of the speed of the machine. */
import { elapsed } from './elapsed.js';
import { retries } from './retries.js';
import { timeouts } from './timeouts.js';

export default { rules: { elapsed, retries, timeouts } };
