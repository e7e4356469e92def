/**
 * GraphiQL for development: an editor with completion, schema documentation, headers, and subscriptions over
 * server-sent events. All assets come from this origin.
 */
import express, { type RequestHandler, type Router } from 'express';
import { constant, sendConstant } from '../core/constant.js';
import { once } from '../core/once.js';
import { createAssets, serveAssets, type Assets } from '../pages/assets.js';
import { readBundle } from '../pages/bundles.js';

const ADDRESS = '/api/graphql';
const ASSETS = '/assets';

/** The editor sets styles at run time, which a hash cannot allow. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Runs before the bundle, because the editor looks for its workers while it loads. Headers contain tokens and are not
 * stored.
 */
const START = `
const { editor, graphql, json } = document.getElementById('graphiql').dataset;
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => ({ graphql, json })[label] ?? editor };
addEventListener('DOMContentLoaded', () =>
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
    endpoint: '${ADDRESS}',
    title: 'GraphQL',
    logo: ' ',
    defaultQuery: '{\\n  otepFormats {\\n    formats {\\n      name\\n      standard\\n      version\\n    }\\n  }\\n}\\n',
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'SSE',
    method: 'POST',
  }),
);
`;

/** On a phone the response is displayed below the query. */
const STYLE = `
html, body, #graphiql { height: 100%; margin: 0 }
@media (max-width: 600px) {
  .graphiql-container div:has(> .graphiql-response) { flex-direction: column !important }
  .graphiql-container div:has(> .graphiql-response) > div { flex: 1 1 50% !important; min-height: 0; min-width: 0 }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none }
}`;

const pageOf = ({ addressOf }: Assets): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>GraphiQL</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${addressOf('graphiql.css')}"><link rel="stylesheet" href="${addressOf('page.css')}">
<script defer src="${addressOf('start.js')}"></script><script defer src="${addressOf('graphiql.js')}"></script></head><body>
<div id="graphiql" data-editor="${addressOf('editor-worker.js')}" data-graphql="${addressOf('graphql-worker.js')}" data-json="${addressOf('json-worker.js')}"></div>
<noscript><h1>GraphQL</h1><p>This page needs JavaScript. The schema is at <a href="/api/ai/tools/graphql">/api/ai/tools/graphql</a>, the REST API at <a href="/api/openapi.json">openapi.json</a>.</p></noscript>
</body></html>`;

/** Responds to browsers that open the page; passes other requests on. */
export function graphiql(refusalLimit: RequestHandler): Router {
  const router = express.Router();
  const assets = once(async () =>
    createAssets(`${ADDRESS}${ASSETS}`, { ...(await readBundle('graphiql')), 'start.js': START, 'page.css': STYLE }),
  );
  const page = once(async () => constant(pageOf(await assets()), 'text/html; charset=utf-8'));
  router.get('/', (request, response, next) => {
    if (request.accepts(['application/json', 'application/graphql-response+json', 'text/html']) !== 'text/html')
      return next();
    refusalLimit(request, response, (limited?: unknown) => {
      if (limited) return next(limited);
      response.set('Content-Security-Policy', POLICY);
      void page().then((document) => sendConstant(request, response, document), next);
    });
  });
  serveAssets(router, ASSETS, { refusalLimit, assets });
  return router;
}
