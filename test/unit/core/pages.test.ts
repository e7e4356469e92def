/** Cost of pages under concurrent requests, and which origins may read them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import express from 'express';
import { Registry } from 'prom-client';
import { createPages } from '../../../src/api/pages/pages.js';

const DOCUMENT = { info: { title: 'A' }, servers: [{ url: 'http://127.0.0.1/api' }], tags: [], paths: {} };

describe('pages', () => {
  const made = { openApi: 0, ready: 0, metrics: 0 };
  let arrived = 0;
  /** A page is not ready before this number of requests has arrived. */
  let expected = 0;
  const allArrived = async () => {
    while (arrived < expected) await sleep(1);
  };
  let url: string;
  let close: () => unknown;
  before(async () => {
    const registry = new Registry();
    registry.metrics = async () => {
      await allArrived();
      return `made ${++made.metrics}`;
    };
    const app = express();
    app.use((_request, response, next) => {
      arrived += 1;
      response.set('Access-Control-Allow-Origin', '*');
      next();
    });
    app.use(
      createPages({
        refusalLimit: (_request, _response, next) => next(),
        ready: async () => {
          await allArrived();
          made.ready += 1;
          return { ready: true, problems: [], warnings: [], projections: [] };
        },
        registry,
        openApi: () => {
          made.openApi += 1;
          return DOCUMENT;
        },
        asyncApi: () => ({}),
      }),
    );
    const server = createServer(app).listen(0, '127.0.0.1');
    // Clients keep their connections open.
    server.keepAliveTimeout = 0;
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();
  });
  after(() => close());

  const ask = async (path: string) => (await fetch(url + path)).text();

  it('adversary H1: static documents are created once each', async () => {
    for (let turn = 0; turn < 5; turn++)
      await Promise.all(
        ['/api/openapi.json', '/api/docs', '/api/docs/errors'].flatMap((path) => [ask(path), ask(path)]),
      );
    // Once for the document, and once for the pages that show it.
    expect(made.openApi).to.equal(2);
  });

  for (const [path, name] of [
    ['/metrics', 'metrics'],
    ['/health/ready', 'ready'],
  ] as const)
    it(`adversary H1: ${path} is created once for all concurrent requests, and never served stale`, async () => {
      for (let turn = 1; turn <= 3; turn++) {
        expected = arrived + 20;
        await Promise.all(Array.from({ length: 20 }, () => ask(path)));
        expect(made[name]).to.equal(turn);
      }
    });

  it('adversary L6: no page of another origin can read the health of the service', async () => {
    for (const path of ['/metrics', '/health/ready', '/health/live']) {
      const { headers } = await fetch(url + path);
      expect(headers.get('access-control-allow-origin'), path).to.equal(null);
      expect(headers.get('cache-control'), path).to.equal('no-store');
    }
    expect((await fetch(`${url}/api/docs`)).headers.get('access-control-allow-origin')).to.equal('*');
  });
});
