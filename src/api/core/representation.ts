/** Sends bytes that have validators: 304 where the caller has them already (RFC 9110, section 13). */
import type { Request, Response } from 'express';
import QuickLRU from 'quick-lru';
import type { Representation } from './operation.js';

/** A representation that many ask for has the same time in each response. */
const httpDates = new QuickLRU<string, string>({ maxSize: 10_000 });

function httpDate(time: string): string {
  const known = httpDates.get(time);
  if (known !== undefined) return known;
  const written = new Date(time).toUTCString();
  httpDates.set(time, written);
  return written;
}

/**
 * Caches may keep what anybody sees but must ask each time whether it changed: the answer is a cheap 304. What somebody
 * sees with a key no cache keeps; their own client may still ask with the validators.
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
 * The entity tag that the client already has; undefined: it must get the bytes. A client that received compressed bytes
 * has the weak form, and a cache updates what it stores by exactly that form. If-None-Match takes precedence over the
 * date, which has a resolution of one second.
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
