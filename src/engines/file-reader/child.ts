/**
 * The program of a reader process. It has no environment variables, and only one connection: the channel to the
 * service. It ends when the service ends.
 */
import { writeFile } from 'node:fs/promises';
import { KINDS } from './kinds/index.js';
import type { FromReader, ToReader } from './protocol.js';
import { endWithParent } from './parent-guard.js';
import { FileRefused } from './refused.js';

type Pieces = AsyncIterator<unknown> | Iterator<unknown>;

let received: Uint8Array[] = [];
let pieces: Pieces | undefined;

// If the machine runs out of memory, Linux ends this process before all others.
writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
process.on('disconnect', () => process.exit(0));
endWithParent();
process.on('message', (message: ToReader) => void onMessage(message));

async function onMessage(message: ToReader): Promise<void> {
  if (message.type === 'bytes') return void received.push(message.bytes);
  const answer = await nextAnswer(message).catch(errorAnswer);
  if (answer.type !== 'piece') pieces = undefined;
  process.send!(answer);
}

async function nextAnswer(message: Exclude<ToReader, { type: 'bytes' }>): Promise<FromReader> {
  if (message.type === 'read') {
    const content = Buffer.concat(received);
    received = [];
    const read = (await KINDS[message.kind]()) as (content: Buffer, options: unknown) => AsyncIterable<unknown>;
    const found = read(content, message.options) as AsyncIterable<unknown> | Iterable<unknown>;
    pieces = Symbol.asyncIterator in found ? found[Symbol.asyncIterator]() : found[Symbol.iterator]();
  }
  const { done, value } = await pieces!.next();
  if (done) return { type: 'end', rss: process.memoryUsage.rss() };
  return { type: 'piece', piece: value as never };
}

const errorAnswer = (error: unknown): FromReader =>
  error instanceof FileRefused ? { type: 'refused', code: error.code, params: error.params } : { type: 'failed' };
