/**
 * `npm run admin`: providers and their access to shipments, businesses and their first users, keys, and erasure of
 * persons.
 */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('npm run admin --', PROGRAMS.admin);
