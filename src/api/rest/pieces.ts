/**
 * Sends an answer piece by piece: the next one is made when the reader has taken the one before, so that memory stays
 * bounded.
 */
import type { Request, Response } from 'express';
import type { Streamed } from '../core/operation.js';

/**
 * Resolves when all is sent, and when the reader has left. Throws what the first piece throws; later the connection is
 * cut, which the reader notices.
 */
export async function sendPieces(request: Request, response: Response, { pieces, mediaType }: Streamed): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  response.setHeader('Vary', 'Authorization, Accept-Encoding');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', mediaType);
  // One listener for all waits: a compressed response removes none of those that are added to it.
  let resume = () => {};
  response.on('drain', () => resume());
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    resume();
  });
  try {
    if (request.method === 'HEAD') return void response.end();
    // By hand: `pipeline` adds more listeners to one response than Node takes for a leak.
    for (let next = first; !next.done && !gone.signal.aborted; next = await rest.next())
      if (next.value.length > 0 && !response.write(next.value) && !gone.signal.aborted)
        await new Promise<void>((resolve) => (resume = resolve));
    response.end();
  } finally {
    await rest.return?.();
  }
}
