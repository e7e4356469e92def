/** Reads one sheet in a separate thread, and returns its rows in pieces on request. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSheet } from 'read-excel-file/universal';
import type { Cell, ThreadAnswer, ThreadWork } from './xlsx.js';

const PIECE = 1_000;
const { content, sheet } = workerData as ThreadWork;
const port = parentPort!;

const isNotThere = (error: unknown): boolean => error instanceof Error && error.name === 'SheetNotFoundError';

// Texts are not trimmed, and numbers keep their type.
const reading = readSheet(content, sheet ?? 1, { trim: false }).then(
  (rows) => ({ rows: rows as unknown as Cell[][] }),
  (error: unknown) => ({ wrong: isNotThere(error) ? ('sheet' as const) : ('file' as const) }),
);

let at = 0;
port.on('message', () => {
  void reading.then((read) => {
    const answer: ThreadAnswer = 'wrong' in read ? read : { rows: read.rows.slice(at, (at += PIECE)) };
    port.postMessage(answer);
  });
});
