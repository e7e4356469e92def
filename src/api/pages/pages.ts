/** What is served beside the operations: health, metrics, the API's description. */
import express, { type Router } from 'express';
import type { Registry } from 'prom-client';
import type { Readiness } from '../core/health.js';
import { docsPage } from './docs.js';

export interface PagesOptions {
  readonly ready: () => Promise<Readiness>;
  readonly registry: Registry;
  readonly openApi: () => Record<string, unknown>;
  readonly asyncApi: Record<string, unknown>;
}

export function createPages({ ready, registry, openApi, asyncApi }: PagesOptions): Router {
  const router = express.Router();
  router.get('/health/live', (_request, response) => void response.json({ live: true }));
  router.get('/health/ready', async (_request, response) => {
    const readiness = await ready();
    response
      .status(readiness.ready ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json(readiness);
  });
  router.get(
    '/metrics',
    async (_request, response) => void response.set('Content-Type', registry.contentType).end(await registry.metrics()),
  );
  router.get('/api/openapi.json', (_request, response) => void response.json(openApi()));
  router.get('/api/asyncapi.json', (_request, response) => void response.json(asyncApi));
  router.get('/api/docs', (_request, response) => {
    response.set(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    response.type('html').end(docsPage(openApi()));
  });
  router.get('/', (_request, response) => response.redirect('/api/docs'));
  return router;
}
