import { spawnSync } from 'node:child_process';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { FORMATS } from '../../../src/serializers/index.js';
import { call } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

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

describe('what is served beside the operations', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  const get = (path: string, headers = {}) => call(`${t.url}${path}`, { headers });

  it('says that the process lives', async () => {
    expect((await get('/health/live')).status).to.equal(200);
  });

  it('says that it is ready, and how far the read models are', async () => {
    let { status, json } = await get('/health/ready');
    // Just begun on a copy of older data, a patient reader may not have caught up yet, and then it is said to have
    // stood still.
    while (!json.projections.every((one: { caught_up: boolean }) => one.caught_up))
      ({ status, json } = await get('/health/ready'));
    expect(status).to.equal(200);
    expect(json).to.include({ ready: true }).and.to.deep.include({ problems: [], warnings: [] });
    expect(json.projections.map((one: { name: string }) => one.name)).to.include.members(['providers', 'timeline']);
    for (const one of json.projections) expect(one).to.include({ worked_on: true, quarantined_streams: 0 });
  });

  it('warns of streams that a fold could not take, and goes on', async () => {
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

  it('is not ready where no process keeps a read model up to date, and names it', async () => {
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

  it('adversary L8: is not ready before it is prepared', async () => {
    const told: string[] = [];
    const prepared = await startTestService({
      databaseUrl: t.databaseUrl,
      seed: false,
      prepare: async ({ baseUrl }) => {
        const { status, json } = await call(`${baseUrl}/health/ready`);
        told.push(`${status} ${String(json.problems[0])}`);
      },
    });
    try {
      expect(told).to.deep.equal(['503 The service is still being prepared.']);
      const { json } = await call(`${prepared.url}/health/ready`);
      expect(json.problems.join()).not.to.contain('prepared');
    } finally {
      await prepared.stop();
    }
  });

  it('counts for Prometheus: requests by route, events by outcome, the lag of the read models', async () => {
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
    // Labels come from a fixed set: whoever calls cannot make new ones.
    expect(text).to.not.contain('SECRETNUMBER');
  });

  describe('the description of the API', () => {
    let document: OpenApi;
    before(async () => void (document = (await get('/api/openapi.json')).json));

    it('is OpenAPI 3.1 that a linter finds nothing wrong with', async () => {
      expect(document.openapi).to.match(/^3\.1\./);
      const config = await createConfig({ extends: ['recommended'] });
      const problems = await lintFromString({ source: JSON.stringify(document), config });
      expect(
        problems.map(
          ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${message} ${location[0]?.pointer}`,
        ),
      ).to.deep.equal([]);
    });

    it('has a linter that would find something', async () => {
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

    it('says of each operation who may call it, and of each parameter what it is', async () => {
      const { json } = await call(`${t.url}/api/openapi.json`);
      const operations = Object.values(json.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap(
        (path) => Object.values(path),
      );
      for (const operation of operations) {
        expect(operation['description'], String(operation['operationId'])).to.match(/Anybody may call this|Roles: /);
        expect(operation['x-roles'], String(operation['operationId'])).to.be.an('array').that.is.not.empty;
        for (const parameter of operation['parameters'] as { name: string; description?: string }[])
          expect(parameter.description, `${String(operation['operationId'])} ${parameter.name}`).to.match(/\S/);
      }
      const timeline = json.paths['/v1/otep/trackings/{tracking_number}'].get;
      const format = timeline.parameters.find(({ name }: { name: string }) => name === 'format');
      expect(format.schema.enum).to.deep.equal(FORMATS.map(({ name }) => name));
      expect(JSON.stringify(json), 'bounds that say nothing').to.not.match(/-?9007199254740991/);
      const bulk = json.paths['/v1/orders/batch'].post.requestBody.content['application/json'].schema;
      expect(bulk.properties.orders.items.properties).to.include.keys('type', 'delivery', 'packages');
    });

    it('lists addresses that are there, with who may call them', async () => {
      const [{ url }] = document.servers as [{ url: string }];
      expect(url).to.equal(`${t.url}/api`);
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, { security }] of Object.entries(methods)) {
          const { status, json } = await call(url + path.replace(/\{\w+\}/g, 'x'), {
            method: method.toUpperCase(),
            ...(method !== 'get' && { body: {} }),
          });
          expect(json.code, `${method} ${path}`).to.not.be.oneOf(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'INTERNAL']);
          const anyone = security.some((one) => Object.keys(one).length === 0);
          if (!anyone) expect(status, `${method} ${path}`).to.equal(401);
          else expect(status, `${method} ${path}`).to.not.equal(401);
        }
      }
    });

    it('shows a call to paste for each operation: quoted as a shell takes it, and answered', async () => {
      const { text } = await get('/api/docs');
      const section = text.slice(text.indexOf('<h3 id="clientOrderCreate">'));
      const shown = /<pre>(curl [^<]+)<\/pre>/.exec(section)![1]!;
      const command = shown.replace(/&#(\d+);/g, (_all, point: string) => String.fromCodePoint(Number(point)));
      // What curl would be told, argument by argument.
      const shell = spawnSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
        encoding: 'utf8',
        env: { TOKEN: await signIns(t)('client_admin') },
      });
      const [url, , authorization, , type, , body] = shell.stdout.split('\0');
      const headers = Object.fromEntries([authorization!, type!].map((line) => line.split(': ')));
      const answer = await fetch(url!, { method: 'POST', headers: headers as Record<string, string>, body: body! });
      expect(await answer.json()).to.include({ result: true, status: 'NEW_ORDER' });
    });

    it('is there to read, without scripts', async () => {
      const { status, headers, text } = await get('/api/docs');
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.contain('text/html');
      expect(headers.get('content-security-policy')).to.contain("default-src 'none'");
      expect(text).to.contain('/v1/otep/ingest').and.to.not.contain('<script');
      expect(text.match(/[^.]\.\. /g), 'two full stops').to.equal(null);
      expect(text, 'links that a narrow screen can break between').to.match(/<\/a> <a href="#errors">/);
      for (const { operationId } of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
        expect(text.split(`href="#${operationId}"`), operationId).to.have.length(3);
      const home = await get('/');
      expect([home.status, home.headers.get('location')]).to.deep.equal([302, '/api/docs']);
    });
  });

  it('stops at once, even when it has just begun', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const service = await startTestService({ databaseUrl: t.databaseUrl, seed: false });
      await service.stop();
      expect(await call(`${service.url}/health/live`).catch(() => 'gone')).to.equal('gone');
    }
  });
});
