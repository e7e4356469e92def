/**
 * `npm run backup`: all that must not be lost, in files of our own: for every configuration, and the only way for the
 * embedded database.
 */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run backup --', PROGRAMS.backup);
