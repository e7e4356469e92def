/** The inside of a thread beside the solver's: one piece of work, and its answer. */
import { parentPort, workerData } from 'node:worker_threads';
import type { AsideCall } from './aside.js';
import { WORK } from './work.js';

const [name, args] = workerData as AsideCall;
const work = WORK[name] as (...args: unknown[]) => unknown;
// A failure ends the thread, and its owner hears of it.
parentPort!.postMessage(await work(...args));
