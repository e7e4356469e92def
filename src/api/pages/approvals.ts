/**
 * The page on which users decide on proposals of agents: `/mcp-approvals`. It consists of static files. All data comes
 * from the API, with the token of the user's session in the Authorization header. There are no cookies, so another site
 * cannot make the browser send authenticated requests (no CSRF). The headers allow only scripts and styles of this
 * origin, only connections to this origin, and no framing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type RequestHandler, type Router } from 'express';
import { packageRoot } from '../../engines/package-root.js';
import { constant, sendConstant } from '../core/constant.js';
import { ApiError } from '../core/errors.js';

const ADDRESS = '/mcp-approvals';
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

/**
 * Compiled from TypeScript in the folder `approvals`, which is a separate project because browsers have a different
 * standard library.
 */
const SCRIPTS = fileURLToPath(new URL('./approvals/', import.meta.url));
const SOURCES = join(packageRoot, 'src/api/pages/approvals');

/** Reads the few small files once. */
export function approvalsPage(refusalLimit: RequestHandler): Router {
  const router = express.Router({ caseSensitive: true });
  serve(ADDRESS, join(SOURCES, 'index.html'), 'text/html; charset=utf-8');
  serve(`${ADDRESS}/approvals.css`, join(SOURCES, 'approvals.css'), 'text/css; charset=utf-8');
  for (const name of readdirSync(SCRIPTS).filter((file) => file.endsWith('.js')))
    serve(`${ADDRESS}/${name}`, join(SCRIPTS, name), 'text/javascript; charset=utf-8');
  return router;

  function serve(path: string, file: string, mediaType: string): void {
    const document = constant(readFileSync(file), mediaType);
    router.get(path, refusalLimit, async (request, response) => {
      response.locals['route'] = ADDRESS;
      response.set(HEADERS);
      await sendConstant(request, response, document);
    });
    router.all(path, refusalLimit, (request) => {
      throw new ApiError('METHOD_NOT_ALLOWED', {
        params: { method: request.method, allowed: 'GET, HEAD' },
        headers: { Allow: 'GET, HEAD' },
      });
    });
  }
}
