/**
 * Sends an answer piece by piece: the next one is made when the reader has taken the one before, so that memory stays
 * bounded.
 */
import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { Streamed } from '../core/operation.js';

/**
 * Resolves when all is sent, and when the reader has left. Throws what the first piece throws; later the connection is
 * cut, which the reader notices.
 */
export async function sendPieces(request: Request, response: Response, { pieces, mediaType }: Streamed): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  response.setHeader('Vary', 'Authorization');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', mediaType);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    if (request.method === 'HEAD') return void response.end();
    // By hand: `pipeline` adds more listeners to one response than Node takes for a leak.
    for (let next = first; !next.done && !gone.signal.aborted; next = await rest.next())
      if (next.value.length > 0 && !response.write(next.value)) await drained(response, gone.signal);
    response.end();
  } finally {
    await rest.return?.();
  }
}

/** The socket has taken what was written, or its reader has left. */
const drained = (response: Response, gone: AbortSignal): Promise<unknown> =>
  once(response, 'drain', { signal: gone }).catch(() => undefined);
