/** The service has every address that the README, documents and guides name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { call } from '../support/clients/http.js';
import { startTestService, type TestService } from '../support/worlds/service.js';

const FILES = [
  'README.md',
  ...['docs', join('docs', 'guides')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];
/** A placeholder for any segment in a text: `{order_id}`, `$ORDER`, `:id`, `...`. */
const ANY = /^(?:\{.*|\$.*|:.*|<.*|\.\.\.|…)$/;
/** Served in addition to the operations, or named in a text as an address that does not exist. */
const PAGES =
  /^\/api\/(?:docs|graphql|openapi\.json|asyncapi\.json|health|ai(?:\/.*)?|ai-skill|\.well-known\/.*|v1|v3|v1\/(?:graphql|openapi\.json|asyncapi\.json))$/;

describe('documented paths', () => {
  let t: TestService;
  let known: readonly string[][];
  before(async () => {
    t = await startTestService();
    const { paths } = (await call(`${t.url}/api/openapi.json`)).json as { paths: Record<string, unknown> };
    known = Object.keys(paths).map((path) => `/api${path}`.split('/'));
  });
  after(() => t.stop());

  /** A path may be the beginning of others: `/api/v1/wms`. */
  const isKnown = (path: string): boolean => {
    const pathSegments = path.split('/');
    return known.some(
      (segments) =>
        segments.length >= pathSegments.length &&
        pathSegments.every((segment, at) => segment === segments[at] || /^\{/.test(segments[at]!) || ANY.test(segment)),
    );
  };

  for (const file of FILES)
    it(`of ${file} exist`, () => {
      const named = [...readFileSync(file, 'utf8').matchAll(/\/api\/v[13]\/[^\s`"'|?#)<,;*\\[\]]*/g)]
        .map(([path]) => path.replace(/(?:[.:]+|\/|\$\d)$/, ''))
        .filter((path) => !PAGES.test(path));
      expect(named.filter((path) => !isKnown(path))).to.deep.equal([]);
    });
});
