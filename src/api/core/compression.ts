/**
 * Compresses responses for clients that send `Accept-Encoding`, with Brotli or gzip. A request without the header costs
 * one check of the headers. These responses are never compressed:
 *
 * - Event streams: a compressor would delay events.
 * - PDFs, images and other types that are already compressed, and parts of a file (`Content-Range`).
 * - Responses below 1,024 bytes.
 * - Responses that contain a credential, and everything below `/oauth`, the only pages with cookies: the length of a
 *   compressed response reveals information about its content (BREACH).
 */
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import Negotiator from 'negotiator';
import onHeaders from 'on-headers';

const THRESHOLD_BYTES = 1_024;
/** The authorization server's paths are not case-sensitive. */
const OAUTH = /^\/oauth(\/|$)/i;
const EVENT_STREAM = /^text\/event-stream\b/i;
/** The list of media types that the library uses does not contain this one. */
const ALSO_COMPRESSED = /^application\/x-ndjson\b/i;

export type Encoding = 'br' | 'gzip';

interface WithPreference {
  encoding(available: string[], options: { preferred: string[] }): string | undefined;
}

/** The compression that the client prefers; Brotli if it has no preference; undefined: no compression. */
export function acceptedEncoding(request: Request): Encoding | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined;
  const negotiator = new Negotiator(request) as unknown as WithPreference;
  const chosen = negotiator.encoding(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] });
  return chosen === 'br' || chosen === 'gzip' ? chosen : undefined;
}

/** Marks a response that contains a credential. */
export function neverCompress(response: Response): void {
  response.locals['neverCompress'] = true;
}

/** Whether the type and the content of a response allow it to be compressed. */
function isCompressible(request: Request, response: Response): boolean {
  if (response.locals['neverCompress'] === true || response.hasHeader('Content-Range')) return false;
  const type = String(response.getHeader('Content-Type') ?? '');
  return !EVENT_STREAM.test(type) && (ALSO_COMPRESSED.test(type) || compression.filter(request, response));
}

export function compressResponses(): RequestHandler {
  const compress = compression({ filter: isCompressible, threshold: THRESHOLD_BYTES });
  return (request, response, next) => {
    if (request.headers['accept-encoding'] === undefined || OAUTH.test(request.path)) return next();
    // This listener is registered before the compressor's listener, so it runs after it.
    onHeaders(response, () => adjust(request, response));
    compress(request, response, next);
  };
}

/**
 * Adjusts the headers of a compressed response:
 *
 * - `ETag` becomes weak: compressed bytes are another representation than the plain bytes, and a strong validator must
 *   not identify both (RFC 9110, section 8.8.1).
 * - HEAD loses `Content-Length` when the response of GET would be compressed: both must have the same headers.
 */
function adjust(request: Request, response: Response): void {
  if (request.method === 'HEAD' && Number(response.getHeader('Content-Length')) >= THRESHOLD_BYTES) {
    if (!isCompressible(request, response) || acceptedEncoding(request) === undefined) return;
    response.removeHeader('Content-Length');
  } else if (!response.hasHeader('Content-Encoding')) return;
  const etag = response.getHeader('ETag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) response.setHeader('ETag', `W/${etag}`);
}
