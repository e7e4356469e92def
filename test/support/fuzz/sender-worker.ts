/** The thread of a battery: processes one order after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { createVolleys, type Gun, type Order } from './batch.js';

const fire = createVolleys(workerData as Gun);
parentPort!.on('message', (order: Order) => void fire(order).then((outcome) => parentPort!.postMessage(outcome)));
