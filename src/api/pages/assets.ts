/**
 * Files of a page at addresses that contain a hash of the content, so that browsers cache them for a year without
 * revalidation.
 */
import type { RequestHandler, Router } from 'express';
import { constant, sendConstant, type Constant } from '../core/constant.js';
import { ApiError } from '../core/errors.js';

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const HASH_LENGTH = 12;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

export interface Assets {
  /** The address of a file. */
  readonly addressOf: (name: string) => string;
  /** Files by the last segment of their address. */
  readonly files: ReadonlyMap<string, Constant>;
}

/** `contents`: files by name, for instance `page.js`. */
export function createAssets(base: string, contents: Readonly<Record<string, string | Uint8Array>>): Assets {
  const files = new Map<string, Constant>();
  const addresses = new Map<string, string>();
  for (const [name, content] of Object.entries(contents)) {
    const [stem, extension] = name.split('.') as [string, string];
    const file = constant(content, MEDIA_TYPES[extension]!);
    const hashed = `${stem}-${file.etag.slice(1, 1 + HASH_LENGTH)}.${extension}`;
    files.set(hashed, file);
    addresses.set(name, `${base}/${hashed}`);
  }
  return { addressOf: (name) => addresses.get(name)!, files };
}

/** Serves the files below `path`. */
export function serveAssets(
  router: Router,
  path: string,
  { refusalLimit, assets }: { readonly refusalLimit: RequestHandler; readonly assets: () => Promise<Assets> },
): void {
  router.get(`${path}/:file`, refusalLimit, async (request, response) => {
    const file = (await assets()).files.get(String(request.params['file']));
    if (!file) throw new ApiError('NOT_FOUND');
    await sendConstant(request, response, file, IMMUTABLE);
  });
}
