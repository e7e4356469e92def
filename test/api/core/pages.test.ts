import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { errorCodes } from '../../../src/api/core/messages/index.js';
import { FORMATS } from '../../../src/serializers/index.js';
import { call } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

interface OpenApi {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly operationId: string; readonly security: readonly object[]; readonly responses: object }
        >
      >
    >
  >;
}

describe('pages and documents next to the operations', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const get = (path: string, headers = {}) => call(`${t.url}${path}`, { headers });

  it('liveness', async () => {
    expect((await get('/health/live')).status).to.equal(200);
  });

  it('readiness, with the progress of the read models', async () => {
    let { status, json } = await get('/health/ready');
    // After a start on a copy of older data, a slow background reader may not have caught up yet. Readiness then
    // reports it as stalled.
    while (!json.projections.every((one: { caught_up: boolean }) => one.caught_up))
      ({ status, json } = await get('/health/ready'));
    expect(status).to.equal(200);
    expect(json).to.include({ ready: true }).and.to.deep.include({ problems: [], warnings: [] });
    expect(json.projections.map((one: { name: string }) => one.name)).to.include.members(['providers', 'timeline']);
    for (const one of json.projections) expect(one).to.include({ worked_on: true, quarantined_streams: 0 });
  });

  it('readiness warns of streams that a fold could not process, and stays ready', async () => {
    const { pool } = t.service.engines;
    await pool.query(
      "insert into projections.quarantine (name, stream, position, error) values ('timeline', 'tracking-x', '1', 'Error: odd')",
    );
    const { status, json } = await get('/health/ready');
    expect(status).to.equal(200);
    expect(json.warnings).to.have.length(1);
    expect(json.warnings[0]).to.contain('timeline');
    await pool.query('delete from projections.quarantine');
  });

  it('readiness fails without a process for a read model, and names it', async () => {
    const alone = await startTestService({ env: { ROLES: 'api' }, seed: false });
    try {
      const { status, json } = await call(`${alone.url}/health/ready`);
      expect(status).to.equal(503);
      expect(json.ready).to.equal(false);
      expect(json.problems.join()).to.contain('timeline').and.contain('providers');
      expect((await call(`${alone.url}/health/live`)).status).to.equal(200);
    } finally {
      await alone.stop();
    }
  });

  it('adversary L8: readiness fails before the preparation is complete', async () => {
    const logLines: string[] = [];
    const prepared = await startTestService({
      databaseUrl: t.databaseUrl,
      seed: false,
      prepare: async ({ baseUrl }) => {
        const { status, json } = await call(`${baseUrl}/health/ready`);
        logLines.push(`${status} ${String(json.problems[0])}`);
      },
    });
    try {
      expect(logLines).to.deep.equal(['503 The service is still being prepared.']);
      const { json } = await call(`${prepared.url}/health/ready`);
      expect(json.problems.join()).not.to.contain('prepared');
    } finally {
      await prepared.stop();
    }
  });

  it('Prometheus metrics: requests by route, events by outcome, the lag of the read models', async () => {
    const document = timelineOf(newNumber(), [event('picked_up')]);
    const pushed = await t.push(document);
    await t.push(document);
    await t.push(timelineOf(newNumber(), [event('lost_in_space')]));
    await t.read('SECRETNUMBER', pushed);
    const { status, headers, text } = await get('/metrics');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.contain('text/plain').and.contain('version=0.0.4');
    const value = (line: string) =>
      Number(new RegExp(`^${line.replace(/[{}]/g, '\\$&')} ([\\d.]+)$`, 'm').exec(text)?.[1]);
    for (const outcome of ['accepted', 'duplicate', 'rejected'])
      expect(value(`ingested_events_total{outcome="${outcome}"}`), outcome).to.be.at.least(1);
    expect(value('projection_events_total{projection="timeline"}')).to.be.at.least(1);
    expect(value('projection_lag_seconds{projection="timeline"}')).to.equal(0);
    expect(
      value('http_request_duration_seconds_count{method="POST",route="/api/v1/otep/ingest",status="200"}'),
    ).to.equal(2);
    expect(
      value(
        'http_request_duration_seconds_count{method="GET",route="/api/v1/otep/trackings/:tracking_number",status="404"}',
      ),
    ).to.equal(1);
    expect(text).to.contain('process_resident_memory_bytes');
    // Labels come from a fixed set: callers cannot create new entries.
    expect(text).to.not.contain('SECRETNUMBER');
  });

  describe('the description of the API', () => {
    let document: OpenApi;
    before(async () => void (document = (await get('/api/openapi.json')).json));

    it('is OpenAPI 3.1 without linter findings', async () => {
      expect(document.openapi).to.match(/^3\.1\./);
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      expect(
        problems.map(
          ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${message} ${location[0]?.pointer}`,
        ),
      ).to.deep.equal([]);
    });

    it('has a linter that detects errors', async () => {
      const broken = structuredClone(document) as unknown as {
        paths: Record<string, { get: { parameters: unknown[] } }>;
      };
      broken.paths['/v1/otep/trackings/{tracking_number}']!.get.parameters = [];
      const problems = await lintFromString({
        source: JSON.stringify(broken),
        config: await createConfig({ extends: ['recommended'] }),
      });
      expect(problems.some(({ severity }) => severity === 'error')).to.equal(true);
    });

    it('contains the callers of each operation, and a description of each parameter', async () => {
      const { json } = await call(`${t.url}/api/openapi.json`);
      const operations = Object.values(json.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap(
        (path) => Object.values(path),
      );
      for (const operation of operations) {
        expect(operation['description'], String(operation['operationId'])).to.match(
          /No authentication required|Roles: /,
        );
        expect(operation['x-roles'], String(operation['operationId'])).to.be.an('array').that.is.not.empty;
        for (const parameter of operation['parameters'] as { name: string; description?: string }[])
          expect(parameter.description, `${String(operation['operationId'])} ${parameter.name}`).to.match(/\S/);
      }
      const timeline = json.paths['/v1/otep/trackings/{tracking_number}'].get;
      const format = timeline.parameters.find(({ name }: { name: string }) => name === 'format');
      expect(format.schema.enum).to.deep.equal(FORMATS.map(({ name }) => name));
      expect(JSON.stringify(json), 'bounds that say nothing').to.not.match(/-?9007199254740991/);
      const bulk = json.paths['/v1/orders/batch'].post.requestBody.content['application/json'].schema;
      expect(bulk).to.deep.equal({ $ref: '#/components/schemas/OrdersBatchRequest' });
      const { schemas } = json.components;
      expect(schemas.OrdersBatchRequest.properties.orders.items).to.deep.equal({
        $ref: '#/components/schemas/OrderInput',
      });
      expect(schemas.OrderInput.properties).to.include.keys('type', 'delivery', 'packages');
    });

    it('lists existing addresses, with their callers', async () => {
      const [{ url }] = document.servers as [{ url: string }];
      expect(url).to.equal(`${t.url}/api`);
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, { security }] of Object.entries(methods)) {
          const { status, json } = await call(url + path.replace(/\{\w+\}/g, 'x'), {
            method: method.toUpperCase(),
            ...(method !== 'get' && { body: {} }),
          });
          // The response for an unknown account equals that for an address that does not exist.
          const allowed = path === '/v1/inbound/{adapter}/{account_token}' ? ['NOT_FOUND'] : [];
          const codes = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'INTERNAL'].filter((code) => !allowed.includes(code));
          expect(json.code, `${method} ${path}`).to.not.be.oneOf(codes);
          const isPublic = security.some((one) => Object.keys(one).length === 0);
          if (!isPublic) expect(status, `${method} ${path}`).to.equal(401);
          else expect(status, `${method} ${path}`).to.not.equal(401);
        }
      }
    });

    it('is a page of this origin: scripts and requests of others are blocked', async () => {
      const { status, headers, text } = await get('/api/docs');
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.contain('text/html');
      const policy = headers.get('content-security-policy')!;
      expect(policy).to.contain("default-src 'none'").and.contain("script-src 'self';").and.not.contain('unsafe-eval');
      expect(policy).to.contain(`connect-src 'self' ${t.url};`);
      expect(text).to.not.match(/https?:/);
      expect(text).to.match(/<noscript>.*href="\/api\/openapi\.json"/);
      const home = await get('/');
      expect([home.status, home.headers.get('location')]).to.deep.equal([302, '/api/docs']);
    });

    for (const page of ['/api/docs', '/api/graphql'])
      it(`${page}: its files can be cached for ever, at addresses that are derived from their content`, async () => {
        const { text } = await get(page, { accept: 'text/html' });
        const files = [...text.matchAll(/"(\/api\/\w+\/assets\/[^"]+)"/g)].map(([, path]) => path!);
        expect(files.length).to.be.at.least(2);
        for (const file of files) {
          const { status, headers } = await get(file);
          expect(status, file).to.equal(200);
          expect(headers.get('cache-control'), file).to.equal('public, max-age=31536000, immutable');
          expect(headers.get('content-type'), file).to.match(/^text\/(javascript|css)/);
          const hash = /-([\w-]{12})\.(js|css)$/.exec(file)![1]!;
          expect(headers.get('etag'), file).to.contain(`"${hash}`);
          expect((await fetch(`${t.url}${file.replace(hash, 'x'.repeat(12))}`)).status).to.equal(404);
        }
      });

    it('has a list of the error codes, which problem documents link to', async () => {
      const refused = await get('/api/v1/orders');
      const link = new URL(refused.json.type as string);
      expect(link.href).to.equal(`${t.url}/api/docs/errors#${refused.json.code}`);
      const { status, headers, text } = await get(link.pathname);
      expect(status).to.equal(200);
      expect(headers.get('content-security-policy')).to.contain("default-src 'none'").and.not.contain('unsafe');
      expect(text).to.not.contain('<script');
      for (const code of errorCodes()) expect(text, code).to.contain(`<tr id="${code}">`);
    });
  });

  it('stops at once, even right after the start', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const service = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
      await service.stop();
      expect(await call(`${service.url}/health/live`).catch(() => 'gone')).to.equal('gone');
    }
  });
});
