/** Sends requests from a separate thread, so that this thread is free for the service under test. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BatchRunnerOptions, Batch, BatchOutcome } from './batch.js';

export interface SenderThread {
  /** Only one order at a time. */
  send(batch: Batch): Promise<BatchOutcome>;
  close(): Promise<unknown>;
}

export function startSenderThread(options: BatchRunnerOptions): SenderThread {
  const thread = new Worker(new URL('./sender-worker.js', import.meta.url), { workerData: options });
  return {
    async send(batch) {
      // Rejects if the thread fails.
      const outcome = once(thread, 'message');
      thread.postMessage(batch);
      return (await outcome)[0] as BatchOutcome;
    },
    close: () => thread.terminate(),
  };
}
