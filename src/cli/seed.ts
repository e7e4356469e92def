/** `npm run seed`: the demo business, wherever the database is. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run seed --', PROGRAMS.seed);
