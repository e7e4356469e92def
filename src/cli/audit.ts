/**
 * `npm run audit`: what happened, as it was known at any moment, whether the read models say the same, and proof that
 * nothing was changed.
 */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run audit --', PROGRAMS.audit);
