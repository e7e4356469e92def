/**
 * `npm run backup`: all that must not be lost, in files of our own: for every configuration, and the only way for the
 * embedded database.
 */
import { create } from './backup/create.js';
import { restore } from './backup/restore.js';
import { verify } from './backup/verify.js';
import { runProgram } from './command.js';

await runProgram('backup', [create, verify, restore]);
