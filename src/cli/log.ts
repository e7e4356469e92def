/** `npm run log`: the event log itself, on whichever engine. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run log --', PROGRAMS.log);
