/**
 * Collects the bytes of a request body. Limits apply while the bytes arrive: a maximum size of each body, both compressed
 * and decompressed, a share of the memory for bodies that are being received (body-shares.ts), and a minimum rate (arrival-rate.ts).
 */
import type { Request, Response } from 'express';
import type { Readable, Transform } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { ArrivalRate, MIN_BYTES_PER_SECOND, PERIOD_SECONDS } from './arrival-rate.js';
import { createBodyShares, type BodyClient } from './body-shares.js';
import { ApiError, explainedError, fieldError } from './errors.js';

export const MAX_BODY_BYTES = 1_048_576;
/** Memory of a decoder, also without output. */
export const DECODER_BYTES = 49_152;

/** Brotli is not supported: sixty bytes of an attacker make its decoder allocate 16 MB. */
const DECODERS: Readonly<Record<string, typeof createGunzip | typeof createInflate>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};
/** Time for which the rest of a refused body is received and discarded. */
const LINGER_MS = 5_000;
const ENCODINGS = 'gzip, deflate';

const memory = createBodyShares();

/**
 * Sets `request.body` to a buffer. `client`: who the memory of the body is counted for. `most`: maximum size in bytes.
 * Errors:
 *
 * - BODY_TOO_LARGE as soon as the limit is exceeded
 * - TOO_MANY_BODIES when the share of the client is used up, UNAVAILABLE when the memory of all bodies is used up
 * - BODY_TOO_SLOW when the body arrives more slowly than the minimum rate
 * - UNSUPPORTED_MEDIA_TYPE for an unknown encoding
 * - REQUEST_ABORTED
 * - INVALID_INPUT for a body that cannot be decompressed
 */
export async function bodyOf(
  request: Request,
  response: Response,
  client: BodyClient,
  most = MAX_BODY_BYTES,
): Promise<void> {
  try {
    request.body = await collect(request, client, most);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BODY_TOO_SLOW') response.setHeader('Connection', 'close');
    else endUnlessBodyArrives(request, response);
    throw error;
  }
}

async function collect(request: Request, client: BodyClient, most: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) throw tooLarge(most);
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  const decode = DECODERS[encoding];
  if (encoding !== 'identity' && !decode) throw unsupported();
  // The client disconnected before.
  if (request.destroyed) throw aborted();
  const body = memory(client);
  try {
    // The base cost counts from the beginning: a body of which nothing arrives uses memory, too.
    body.add(decode ? DECODER_BYTES : 0);
    const chunks: Buffer[] = [];
    let size = 0;
    await receive(request, decode?.(), most, (chunk) => {
      size += chunk.length;
      body.add(chunk.length);
      if (size > most) throw tooLarge(most);
      chunks.push(chunk);
    });
    return Buffer.concat(chunks, size);
  } finally {
    body.free();
  }
}

/**
 * Passes each decompressed chunk to `take`, which may throw. `most`: maximum number of bytes before decompression, because
 * endless compressed input can have no output. The request is never destroyed, because that would close
 * the connection before the response is sent.
 */
async function receive(
  request: Request,
  decoder: Transform | undefined,
  most: number,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const source = decoder ?? request;
  let received = 0;
  const rate = new ArrivalRate();
  const cleanups: (() => void)[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    const listen = <T>(emitter: Readable, event: string, listener: (argument: T) => void): void => {
      emitter.on(event, listener);
      cleanups.push(() => emitter.off(event, listener));
    };
    listen(request, 'aborted', () => reject(aborted()));
    listen(source, 'error', (error) => reject(request.complete || decoder ? undecodable(error) : aborted()));
    listen(source, 'end', () => (request.complete ? resolve() : reject(aborted())));
    listen(request, 'data', (chunk: Buffer) => {
      rate.received(chunk.length);
      received += chunk.length;
      if (received > most) reject(tooLarge(most));
    });
    listen(source, 'data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (refusal) {
        reject(refusal as Error);
      }
    });
    const clock = setInterval(() => rate.isTooSlow() && reject(tooSlow()), 1_000);
    cleanups.push(() => clearInterval(clock));
    if (decoder) request.pipe(decoder);
  });
  try {
    await ended;
  } finally {
    for (const cleanup of cleanups) cleanup();
    request.unpipe().pause();
    // Errors of a decoder that is destroyed in between concern no caller.
    decoder?.on('error', () => {}).destroy();
  }
}

const tooSlow = (): ApiError =>
  new ApiError('BODY_TOO_SLOW', { params: { min: MIN_BYTES_PER_SECOND, seconds: PERIOD_SECONDS } });
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

/**
 * Ends the connection soon after this response, unless the rest of the body arrives by then. Until then
 * the bytes are discarded: if the connection ended at once, the system would answer them with a reset, and the client might
 * lose the response that explains the refusal (RFC 9112, section 9.6).
 */
export function endUnlessBodyArrives(request: Request, response: Response): void {
  if (request.complete) return;
  response.once('finish', () => {
    // An unread request is discarded by Node; one that was paused is not.
    request.resume();
    const timer = setTimeout(() => request.complete || request.destroy(), LINGER_MS);
    request.once('close', () => clearTimeout(timer));
  });
}
