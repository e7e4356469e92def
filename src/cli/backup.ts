/**
 * `npm run backup`: writes all data that must not be lost to files in the project's own format. It works with every
 * configuration and is the only backup of the embedded database.
 */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run backup --', PROGRAMS.backup);
