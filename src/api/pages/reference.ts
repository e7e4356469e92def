/**
 * The API reference as pages: `/api/docs` is Scalar API Reference with the OpenAPI document; `/api/docs/errors` is the
 * list of error codes that problem documents link to. All assets come from this origin.
 */
import { createHash } from 'node:crypto';
import type { RequestHandler, Router } from 'express';
import { constant, sendConstant } from '../core/constant.js';
import { errorCodes, statusOf, translate } from '../core/messages/index.js';
import { once } from '../core/once.js';
import { createAssets, serveAssets } from './assets.js';
import { readBundle } from './bundles.js';

const DOCS = '/api/docs';
const ASSETS = `${DOCS}/assets`;
const ERRORS = `${DOCS}/errors`;
const HTML = 'text/html; charset=utf-8';

/**
 * Scalar sets styles at run time, which a hash cannot allow. It sends requests to this origin, and to the public
 * address of the service if the page was opened at another address.
 */
const policy = (server: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self' ${server}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Starts the page. Links to an error code (`#NOT_FOUND`) of earlier versions are redirected to the list of codes. */
const START = `
const toErrors = () => {
  if (/^#[A-Z][A-Z0-9]*_?[A-Z0-9_]*$/.test(location.hash)) location.replace('${ERRORS}' + location.hash);
};
addEventListener('hashchange', toErrors);
toErrors();
Scalar.createApiReference('#reference', {
  url: '/api/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'bearer' },
  documentDownloadType: 'direct',
  hideModels: true,
  featuredClients: ['shell/curl', 'js/fetch', 'python/requests'],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true, clojure: true, csharp: true, dart: true, fsharp: true, go: true, http: true, java: true, julia: true,
    kotlin: true, node: true, objc: true, ocaml: true, php: true, powershell: true, r: true, ruby: true, rust: true,
    swift: true, js: ['axios', 'jquery', 'ofetch', 'xhr'], python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
    shell: ['httpie', 'wget'],
  },
});
`;

const escape = (text: unknown): string => String(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const pageOf = (title: string, assets: { readonly script: string; readonly start: string }): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)} API</title><link rel="icon" href="data:,">
<script defer src="${assets.script}"></script><script defer src="${assets.start}"></script></head><body>
<div id="reference"></div>
<noscript><h1>${escape(title)} API</h1><p>This page requires JavaScript. The API is described in <a href="/api/openapi.json">openapi.json</a>, the error codes in <a href="${ERRORS}">the list of error codes</a>.</p></noscript>
</body></html>`;

const ERRORS_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
code { font: 14px/1.45 ui-monospace, monospace } td { overflow-wrap: anywhere }
table { border-collapse: collapse } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884 }
tr:target { background: #fc06 }`;
const ERRORS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(ERRORS_STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Each code with its HTTP status and meaning, at an anchor with the name of the code. */
const errorsPage = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Error codes of the ${escape(title)} API</title><link rel="icon" href="data:,"><style>${ERRORS_STYLE}</style></head><body>
<h1>Error codes</h1><p>The <code>code</code> of a problem document, its HTTP status and its meaning. <a href="${DOCS}">API reference</a></p>
<table><tr><th>Code<th>Status<th>Meaning</tr>${errorCodes()
    .map(
      (code) =>
        `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a><td>${statusOf(code)}<td>${escape(translate(code, {}, 'en'))}</tr>`,
    )
    .join('')}</table>
</body></html>`;

interface Described {
  readonly info: { readonly title: string };
  readonly servers: readonly { readonly url: string }[];
}

export function mountReference(
  router: Router,
  { refusalLimit, openApi }: { readonly refusalLimit: RequestHandler; readonly openApi: () => Record<string, unknown> },
): void {
  const described = once(() => openApi() as unknown as Described);
  const assets = once(async () => createAssets(ASSETS, { ...(await readBundle('scalar')), 'start.js': START }));
  const page = once(async () => {
    const { addressOf } = await assets();
    const { info } = described();
    return constant(pageOf(info.title, { script: addressOf('scalar.js'), start: addressOf('start.js') }), HTML);
  });
  const errors = once(() => constant(errorsPage(described().info.title), HTML));

  router.get(DOCS, refusalLimit, async (request, response) => {
    response.set('Content-Security-Policy', policy(new URL(described().servers[0]!.url).origin));
    await sendConstant(request, response, await page());
  });
  router.get(ERRORS, refusalLimit, async (request, response) => {
    response.set('Content-Security-Policy', ERRORS_POLICY);
    await sendConstant(request, response, errors());
  });
  serveAssets(router, ASSETS, { refusalLimit, assets });
}
