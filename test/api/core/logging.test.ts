import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createLogger } from '../../../src/logging/logger.js';
import { query } from '../../support/worlds/database.js';
import { call } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const DRIVER = 'Ottilie Zusteller';
const KEY = 'Ottilie-Zusteller';

describe('service log at the lowest level', () => {
  let t: TestService;
  const lines: string[] = [];
  const logText = () => lines.join('');

  before(
    async () =>
      void (t = await startTestService({
        logger: createLogger('trace', { write: (line: string) => void lines.push(line) }),
      })),
  );
  after(() => t.stop());

  it('names each request by its id and its route, and contains neither a key nor a name', async () => {
    const number = newNumber();
    const wrong = `otp_${randomBytes(32).toString('base64url')}`;
    const pushed = await t.push(
      timelineOf(number, [
        event('picked_up', 1, {
          description: DRIVER,
          raw: { text: DRIVER },
          location: { name: DRIVER },
          'x-driver': { name: DRIVER },
        }),
        event('lost_in_space', 2, { description: DRIVER }),
      ]),
      { headers: { 'idempotency-key': KEY } },
    );
    expect(pushed.status).to.equal(200);
    const answers = [
      pushed,
      await t.read(number, pushed, { key: t.demo.provider.key }),
      await t.push(`{"subject": "${DRIVER}`),
      await t.push(timelineOf(DRIVER, [event('picked_up')])),
      await t.push({}, { key: wrong }),
      await t.api(`/otep/trackings/${encodeURIComponent(DRIVER)}?key=${t.demo.provider.key}`),
      await t.api(`/${encodeURIComponent(DRIVER)}`, {
        headers: { 'x-forwarded-for': DRIVER, cookie: `name=${DRIVER}` },
      }),
    ];
    for (const { headers, status } of answers) {
      const line = lines
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .find(({ requestId, msg }) => requestId === headers.get('x-request-id') && msg === 'request');
      expect(line).to.include({ status });
      expect(line!['route']).to.match(/^(other|\/api\/v1\/[\w/:{}]+)$/);
    }
    for (const secret of [DRIVER, KEY, encodeURIComponent(DRIVER), number, t.demo.provider.key, wrong])
      expect(logText()).to.not.include(secret);
  });

  it('logs the id of the caller, and omits health checks', async () => {
    lines.length = 0;
    await t.push(timelineOf(newNumber(), [event('picked_up', 1)]));
    await call(`${t.url}/health/live`);
    const entries = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request');
    expect(entries.find(({ route }) => route === '/api/v1/otep/ingest')).to.include({
      level: 30,
      method: 'POST',
      status: 200,
      caller: `provider:${t.demo.provider.id}`,
    });
    expect(entries.filter(({ level, route }) => level === 30 && route === 'other')).to.deep.equal([]);
  });

  it('omits successful requests if the access log is disabled', async () => {
    const quiet: string[] = [];
    const other = await startTestService({
      databaseUrl: t.databaseUrl,
      seed: false,
      env: { ACCESS_LOG: 'false' },
      logger: createLogger('info', { write: (line: string) => void quiet.push(line) }),
    });
    expect((await other.api('/otep/formats')).status).to.equal(200);
    await other.stop();
    const entries = quiet.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.map(({ msg }) => msg)).to.not.include('request');
    const started = entries.filter(({ msg }) => msg === 'started');
    expect(started, 'one line for a start').to.have.length(1);
    expect(started[0]).to.deep.include({
      version: (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
      node: process.version,
      roles: ['api', 'projector', 'relay', 'worker'],
      database: 'PostgreSQL',
      kafka: false,
      listening: other.url,
    });
    expect(started[0]!['log']).to.be.oneOf(['postgres', 'eventstore']);
  });

  it('logs that the database rejected a row, without the row', async () => {
    await query(t.databaseUrl, 'alter table access.idempotency add constraint refused check (false) not valid');
    lines.length = 0;
    const answer = await t.push(timelineOf(newNumber(), [event('picked_up', 1)]), {
      headers: { 'idempotency-key': KEY },
    });
    expect(answer.status).to.equal(500);
    expect(answer.text).to.not.include(KEY);
    const failure = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ msg }) => msg === 'request failed');
    expect(failure).to.include({ requestId: answer.headers.get('x-request-id'), code: 'INTERNAL' });
    expect(failure!['err']).to.include({ code: '23514', constraint: 'refused', table: 'idempotency' });
    expect(logText()).to.not.include(KEY);
  });
});
