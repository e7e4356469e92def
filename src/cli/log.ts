/** `npm run log`: commands for the event log itself, on any engine. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run log --', PROGRAMS.log);
