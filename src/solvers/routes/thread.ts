/** The inside of a solver's thread: one search, called from outside. */
import { parentPort, workerData } from 'node:worker_threads';
import { runnerOf } from './here.js';
import { Search } from './search/search.js';
import type { ThreadCall, ThreadStart } from './threads.js';

const { problem, matrix, seed, worker, version, wish } = workerData as ThreadStart;
const runner = runnerOf(new Search(problem, matrix, seed, worker, version), () => Atomics.load(wish, 0) !== 0);

parentPort!.on('message', ([name, ...args]: ThreadCall) => {
  const method = runner[name] as (...args: unknown[]) => Promise<unknown>;
  // A failure ends the thread, and its owner hears of it.
  void method(...args).then((answer) => parentPort!.postMessage(answer));
});
