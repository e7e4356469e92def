/** Rules for tests: their result does not depend on how fast the machine is. */
import { elapsed } from './elapsed.js';
import { retries } from './retries.js';
import { timeouts } from './timeouts.js';

export default { rules: { elapsed, retries, timeouts } };
