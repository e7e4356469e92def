/**
 * Collects the bytes of a request body. Limits apply while the bytes arrive: a maximum size of each decompressed body,
 * and a budget for all bodies that are being received.
 */
import type { Request, RequestHandler, Response } from 'express';
import { createGunzip, createInflate } from 'node:zlib';
import { ApiError, explainedError, fieldError } from './errors.js';

export const MAX_BODY_BYTES = 1_048_576;
/** Budget of all bodies that this process is receiving, in decompressed bytes. */
export const MAX_BYTES_IN_PROGRESS = 128 * MAX_BODY_BYTES;

/** Brotli is not supported: sixty bytes of an attacker make its decoder allocate 16 MB. */
const DECODERS: Readonly<Record<string, typeof createGunzip | typeof createInflate>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};
const ENCODINGS = 'gzip, deflate';

let bytesInProgress = 0;

/**
 * Sets `request.body` to a buffer. Errors:
 *
 * - BODY_TOO_LARGE as soon as the limit is exceeded
 * - UNAVAILABLE when the budget is used up
 * - UNSUPPORTED_MEDIA_TYPE for an unknown encoding
 * - REQUEST_ABORTED
 * - INVALID_INPUT for a body that cannot be decompressed
 */
export const collectBody: RequestHandler = (request, response, next) =>
  void bodyOf(request, response).then(() => next(), next);

/** The same as a promise. `most`: maximum size in bytes, if the operation sets one. */
export async function bodyOf(request: Request, response: Response, most = MAX_BODY_BYTES): Promise<void> {
  try {
    request.body = await collect(request, most);
  } catch (error) {
    // Does not wait for the rest of the body.
    closeAfterResponse(response);
    throw error;
  }
}

async function collect(request: Request, most: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) throw tooLarge(most);
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  const decode = DECODERS[encoding];
  if (encoding !== 'identity' && !decode) throw unsupported();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const source = decode ? request.pipe(decode()) : request;
    request.once('aborted', () => source.destroy(aborted()));
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      bytesInProgress += chunk.length;
      if (size > most) throw tooLarge(most);
      if (bytesInProgress > MAX_BYTES_IN_PROGRESS)
        throw new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '1' } });
      chunks.push(chunk);
    }
    if (!request.complete) throw aborted();
    return Buffer.concat(chunks, size);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw request.complete || decode ? undecodable(error) : aborted();
  } finally {
    bytesInProgress -= size;
  }
}

const aborted = (): ApiError => fieldError('REQUEST_ABORTED', 'body', {}, '');
const undecodable = (cause: unknown): ApiError =>
  new ApiError('INVALID_INPUT', {
    errors: [{ field: 'body', path: '', code: 'INVALID_INPUT', says: 'BODY_UNREADABLE' }],
    cause,
  });

/** `max`: bytes. */
export function tooLarge(max: number): ApiError {
  const params = { max };
  return new ApiError('BODY_TOO_LARGE', {
    params,
    errors: [{ field: 'body', path: '', code: 'BODY_TOO_LARGE', params }],
  });
}

const unsupported = (): ApiError =>
  explainedError('UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_ENCODING', 'content-encoding', {
    params: { allowed: ENCODINGS },
    path: '',
  });

/** Closes the connection after this response. */
export function closeAfterResponse(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
