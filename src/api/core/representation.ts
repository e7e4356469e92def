/** Sends bytes that have validators; responds with 304 if the client already has them (RFC 9110, section 13). */
import type { Request, Response } from 'express';
import QuickLRU from 'quick-lru';
import type { Representation } from './operation.js';

/** Formatted times: a popular representation has the same time in each response. */
const httpDates = new QuickLRU<string, string>({ maxSize: 10_000 });

function httpDate(time: string): string {
  const known = httpDates.get(time);
  if (known !== undefined) return known;
  const written = new Date(time).toUTCString();
  httpDates.set(time, written);
  return written;
}

/**
 * Public responses may be cached, but a cache must revalidate each time, which costs only a 304. No cache stores
 * responses to authenticated requests; the client itself may still send the validators.
 */
const cacheControl = (request: Request): string =>
  request.headers.authorization === undefined ? 'no-cache' : 'no-store';

export function sendRepresentation(
  request: Request,
  response: Response,
  { body, mediaType, etag, lastModified, headers }: Representation,
): void {
  response.setHeader('Vary', 'Accept, Accept-Language, Authorization, Accept-Encoding');
  response.setHeader('Cache-Control', cacheControl(request));
  if (etag !== undefined && lastModified !== undefined) {
    const modified = httpDate(lastModified);
    response.setHeader('ETag', etag);
    response.setHeader('Last-Modified', modified);
    const known = knownTag(request, etag, modified);
    if (known !== undefined) {
      response.setHeader('ETag', known);
      response.statusCode = 304;
      return void response.end();
    }
  }
  if (headers) for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', mediaType === 'application/json' ? 'application/json; charset=utf-8' : mediaType);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * The entity tag that the client already has; undefined: the client needs the bytes. A client that received compressed
 * bytes has the weak form, and a cache updates its entry only for exactly that form. If-None-Match takes precedence
 * over the date, which has a resolution of one second.
 */
function knownTag(request: Request, etag: string, modified: string): string | undefined {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined) {
    const tags = noneMatch.split(',').map((tag) => tag.trim());
    return tags.includes('*') ? etag : tags.find((tag) => opaque(tag) === opaque(etag));
  }
  const since = request.headers['if-modified-since'];
  return since !== undefined && Date.parse(modified) <= Date.parse(since) ? etag : undefined;
}

const opaque = (tag: string): string => tag.replace(/^W\//, '');
