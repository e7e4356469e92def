/** Bodies of the authorization server's requests, read with the limits of all other bodies. */
import { parse } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import { bodyClientOf } from '../core/body-shares.js';
import { ANONYMOUS } from '../core/callers.js';
import { addressOf } from '../core/client-address.js';
import { bodyOf } from '../core/collect-body.js';

/** Maximum size of a form of the sign-in pages, in bytes. */
const MAX_FORM_BYTES = 16_384;
const MAX_FORM_FIELDS = 64;
/** Maximum size of a request to the library, in bytes: its own limit. */
const MAX_LIBRARY_BYTES = 57_344;

const read = (request: Request, response: Response, most: number): Promise<void> =>
  bodyOf(request, response, bodyClientOf(ANONYMOUS, addressOf(request, response)), most);

/** Sets `request.body` to the fields of a form; without fields if the body is no form. Errors: those of `bodyOf`. */
export const formBody: RequestHandler = (request, response, next) =>
  void read(request, response, MAX_FORM_BYTES).then(() => {
    const text = request.is('application/x-www-form-urlencoded') ? String(request.body) : '';
    request.body = parse(text, '&', '=', { maxKeys: MAX_FORM_FIELDS });
    next();
  }, next);

/**
 * Reads the body before the library does, which has no minimum rate and no share of memory. The library then reads the
 * collected bytes. Errors: those of `bodyOf`.
 */
export async function libraryBody(request: Request, response: Response): Promise<void> {
  await read(request, response, MAX_LIBRARY_BYTES);
  const body = request.body as Buffer;
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: () => Readable.from(body.length > 0 ? [body] : []).iterator() },
  });
}
