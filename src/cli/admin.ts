/** `npm run admin`: who may push, and to which shipments; businesses and their first people; whom to forget. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run admin --', PROGRAMS.admin);
