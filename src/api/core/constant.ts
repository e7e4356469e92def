/**
 * Documents that do not change while the process runs. Each encoding of a document is compressed at the first request
 * for it, off the main thread, and kept in memory.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptedEncoding, type Encoding } from './compression.js';
import { once } from './once.js';
import { sendRepresentation } from './representation.js';

export interface Constant {
  readonly body: Buffer;
  readonly mediaType: string;
  /** Strong entity tag of the uncompressed bytes. */
  readonly etag: string;
  readonly encoded: Readonly<Record<Encoding, () => Promise<Buffer>>>;
}

/** A good ratio: the highest quality (11) takes ten times as long and saves a tenth of the bytes. */
const BROTLI_QUALITY = 9;
const MIN_COMPRESSED_BYTES = 1_024;

const STARTED_AT = new Date().toISOString();

export function constant(content: string | Uint8Array, mediaType: string): Constant {
  const body = Buffer.from(content as string);
  return {
    body,
    mediaType,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    encoded: {
      br: once(() =>
        promisify(brotliCompress)(body, {
          params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        }),
      ),
      gzip: once(() => promisify(gzip)(body)),
    },
  };
}

export async function sendConstant(
  request: Request,
  response: Response,
  { body, mediaType, etag, encoded }: Constant,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const encoding = body.length < MIN_COMPRESSED_BYTES ? undefined : acceptedEncoding(request);
  sendRepresentation(request, response, {
    body: encoding === undefined ? body : await encoded[encoding](),
    mediaType,
    etag: encoding === undefined ? etag : `W/${etag}`,
    lastModified: STARTED_AT,
    headers: { ...headers, ...(encoding !== undefined && { 'Content-Encoding': encoding }) },
  });
}
