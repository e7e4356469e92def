/** `npm run seed`: creates the demo business in any database. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run seed --', PROGRAMS.seed);
