#!/usr/bin/env node
/** `open-transport`: all commands under one name. */
import { runProgram } from './program.js';
import { PROGRAMS } from './programs.js';

await runProgram('open-transport', PROGRAMS);
