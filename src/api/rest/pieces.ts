/**
 * Sends a response in pieces. The next piece is produced only after the client has taken the previous one, so memory
 * stays bounded.
 */
import type { Request, Response } from 'express';
import type { Streamed } from '../core/operation.js';

/**
 * Resolves when all pieces are sent, or when the client has disconnected. Throws the error of the first piece. A later
 * error closes the connection, so that the client detects the incomplete response.
 */
export async function sendPieces(
  request: Request,
  response: Response,
  { pieces, mediaType, headers = {} }: Streamed,
): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  response.setHeader('Vary', 'Authorization, Accept-Encoding');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', mediaType);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // One listener for all waits: a compressed response never removes a listener that was added to it.
  let resume = () => {};
  response.on('drain', () => resume());
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    resume();
  });
  try {
    if (request.method === 'HEAD') return void response.end();
    // Written without `pipeline`, which adds so many listeners to one response that Node warns of a leak.
    for (let next = first; !next.done && !gone.signal.aborted; next = await rest.next())
      if (next.value.length > 0 && !response.write(next.value) && !gone.signal.aborted)
        await new Promise<void>((resolve) => (resume = resolve));
    response.end();
  } finally {
    await rest.return?.();
  }
}
