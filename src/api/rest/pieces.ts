/**
 * Sends an answer piece by piece: the next one is made when the reader has taken the one before, so that memory stays
 * bounded.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Streamed } from '../core/operation.js';

/**
 * Resolves when all is sent, and when the reader has left. Throws what the first piece throws; later the connection is
 * cut, which tells the reader.
 */
export async function sendPieces(request: Request, response: Response, { pieces, mediaType }: Streamed): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]();
  const first = await rest.next();
  response.setHeader('Vary', 'Authorization');
  response.setHeader('Content-Type', mediaType);
  async function* all(): AsyncGenerator<Buffer> {
    try {
      for (let next = first; !next.done; next = await rest.next())
        if (next.value.length > 0) yield Buffer.from(next.value);
    } finally {
      await rest.return?.();
    }
  }
  if (request.method === 'HEAD') {
    await rest.return?.();
    return void response.end();
  }
  // One piece ahead of the socket, no more.
  await pipeline(Readable.from(all(), { objectMode: true, highWaterMark: 1 }), response).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    },
  );
}
