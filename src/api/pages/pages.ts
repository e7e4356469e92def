/** Pages and documents in addition to the operations: health, metrics, the description of the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, type Router } from 'express';
import { packageRoot } from '../../engines/package-root.js';
import { VERIFIER_PATH } from '../../events/tree/evidence.js';
import type { Readiness } from '../core/health.js';
import { constant, sendConstant, type Constant } from '../core/constant.js';
import { once } from '../core/once.js';
import type { Parts } from '../core/parts.js';
import { shareComputation } from '../core/shared-computation.js';
import { mountReference } from './reference.js';

const asJson = (value: unknown): Constant => constant(JSON.stringify(value), JSON_TYPE);
/** A program for users to download. It is not compiled, so that they can read what they run. */
const VERIFIER = join(packageRoot, 'src/api/pages/verify-evidence.mjs');
const JSON_TYPE = 'application/json; charset=utf-8';

export interface PagesOptions extends Parts<'registry'> {
  /** Counts a request by address; throws RATE_LIMITED. */
  readonly refusalLimit: RequestHandler;
  readonly ready: () => Promise<Readiness>;
  readonly openApi: () => Record<string, unknown>;
  readonly asyncApi: () => Record<string, unknown>;
}

export function createPages({ refusalLimit, ready, registry, openApi, asyncApi }: PagesOptions): Router {
  const router = express.Router();
  // These pages for operators have no rate limit, so that the state of the service stays visible during a flood of
  // requests.
  const readinessOf = shareComputation(ready);
  const measure = shareComputation(() => registry.metrics());
  router.use(['/health', '/metrics'], (_request, response, next) => {
    // Prevents pages of other origins from reading them through the browser of a user who has access.
    response.removeHeader('Access-Control-Allow-Origin');
    response.set({ 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' });
    next();
  });
  router.get('/health/live', (_request, response) => void response.json({ live: true }));
  router.get('/health/ready', async (_request, response) => {
    const readiness = await readinessOf();
    response.status(readiness.ready ? 200 : 503).json(readiness);
  });
  router.get(
    '/metrics',
    async (_request, response) => void response.set('Content-Type', registry.contentType).end(await measure()),
  );
  // Created at the first request, because the public address is known only then.
  const documents = { openApi: once(() => asJson(openApi())), asyncApi: once(() => asJson(asyncApi())) };
  router.get('/api/openapi.json', refusalLimit, (request, response) =>
    sendConstant(request, response, documents.openApi()),
  );
  router.get('/api/asyncapi.json', refusalLimit, (request, response) =>
    sendConstant(request, response, documents.asyncApi()),
  );
  mountReference(router, { refusalLimit, openApi });
  const verifier = once(() => constant(readFileSync(VERIFIER), 'text/javascript; charset=utf-8'));
  router.get(VERIFIER_PATH, refusalLimit, (request, response) =>
    sendConstant(request, response, verifier(), {
      'Content-Disposition': 'attachment; filename="verify-evidence.mjs"',
    }),
  );
  router.get('/', refusalLimit, (_request, response) => response.redirect('/api/docs'));
  return router;
}
