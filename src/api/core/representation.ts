/** Sends bytes that have validators: 304 where the caller has them already (RFC 9110, section 13). */
import type { Request, Response } from 'express';
import type { Representation } from './operation.js';

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
  response.setHeader('Vary', 'Accept, Accept-Language, Authorization');
  response.setHeader('Cache-Control', cacheControl(request));
  if (etag !== undefined && lastModified !== undefined) {
    const modified = new Date(lastModified).toUTCString();
    response.setHeader('ETag', etag);
    response.setHeader('Last-Modified', modified);
    if (isFresh(request, etag, modified)) {
      response.statusCode = 304;
      return void response.end();
    }
  }
  if (headers) for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', mediaType === 'application/json' ? 'application/json; charset=utf-8' : mediaType);
  response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** If-None-Match decides alone when it is there; dates have seconds only. */
function isFresh(request: Request, etag: string, modified: string): boolean {
  const noneMatch = request.headers['if-none-match'];
  if (noneMatch !== undefined)
    return noneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  const since = request.headers['if-modified-since'];
  return since !== undefined && Date.parse(modified) <= Date.parse(since);
}
