/** The thread of a battery: processes one order after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { createBatchRunner, type BatchRunnerOptions, type Batch } from './batch.js';

const runBatch = createBatchRunner(workerData as BatchRunnerOptions);
parentPort!.on('message', (batch: Batch) => void runBatch(batch).then((outcome) => parentPort!.postMessage(outcome)));
