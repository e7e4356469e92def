/** Entry point of a solver's worker thread: it runs one search and receives calls as messages. */
import { parentPort, workerData } from 'node:worker_threads';
import { runnerOf } from './in-thread.js';
import { Search } from './search/search.js';
import type { ThreadCall, ThreadStart } from './threads.js';

const { problem, matrix, seed, worker, version, stopFlag } = workerData as ThreadStart;
const runner = runnerOf(new Search(problem, matrix, seed, worker, version), () => Atomics.load(stopFlag, 0) !== 0);

parentPort!.on('message', ([name, ...args]: ThreadCall) => {
  const method = runner[name] as (...args: unknown[]) => Promise<unknown>;
  // An error ends the thread; the main thread is notified.
  void method(...args).then((answer) => parentPort!.postMessage(answer));
});
