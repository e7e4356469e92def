/**
 * `npm run audit`: shows past states of trackings, compares the read models with the log, and proves that the log is
 * unchanged.
 */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run audit --', PROGRAMS.audit);
