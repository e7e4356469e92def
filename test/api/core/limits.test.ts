import { expect } from 'chai';
import { call } from '../../support/clients/http.js';
import { eventually } from '../../support/eventually.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('authentication and rate limits', () => {
  let t: TestService;
  before(async () => void (t = await startTestService()));
  after(() => t.stop());

  describe('401', () => {
    const expect401 = (answer: Awaited<ReturnType<typeof call>>, about: string) => {
      expect([answer.status, answer.json.code], about).to.deep.equal([401, 'UNAUTHENTICATED']);
      expect(answer.headers.get('www-authenticate'), about).to.match(/^Bearer/);
    };

    it('for a push without a key', async () => {
      expect401(await t.api('/otep/ingest', { body: timelineOf(newNumber(), [event('received')]) }), 'none');
    });

    it('for an invalid key, also on public operations', async () => {
      const { key } = t.demo.provider;
      const wrong = [
        '',
        'Bearer',
        'Bearer ',
        `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
        `Bearer ${key.slice(0, -1)}`,
        `Bearer ${key}x`,
        `Bearer ${key.toLowerCase()}`,
        `Bearer otp_${'A'.repeat(43)}`,
        `Bearer ${'x'.repeat(5_000)}`,
        `Token ${key}`,
        `Bearer ${key} ${key}`,
      ];
      for (const authorization of wrong.filter((value) => value !== '')) {
        expect401(
          await t.api('/otep/ingest', {
            body: timelineOf(newNumber(), [event('received')]),
            headers: { authorization },
          }),
          authorization,
        );
        expect401(await t.api(`/otep/trackings/${t.demo.trackings[0]}`, { headers: { authorization } }), authorization);
      }
      expect(
        (await t.api(`/otep/trackings/${t.demo.trackings[0]}`, { headers: { authorization: `bearer   ${key}` } }))
          .status,
      ).to.equal(200);
    });

    it('for a revoked key, at once', async () => {
      const key = await t.addProvider('short-lived');
      expect((await t.push(timelineOf(newNumber(), [event('received')]), { key })).status).to.equal(200);
      await t.service.engines.pool.query("delete from access.provider_keys where provider = 'short-lived'");
      expect401(await t.push(timelineOf(newNumber(), [event('received')]), { key }), 'revoked');
    });
  });

  it('404 for unknown addresses', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api',
      '/api/v1/otep',
      '/api/v1/otep/trackings',
      '/api/v1/otep/trackings/',
      '/favicon.ico',
      '/api/V1/otep/formats',
    ]) {
      const { status, json } = await call(t.url + path);
      expect([status, json.code], path).to.deep.equal([404, 'NOT_FOUND']);
    }
  });

  it('405 with Allow for another method', async () => {
    const cases: [method: string, path: string, allow: string][] = [
      ['GET', '/otep/ingest', 'POST'],
      ['DELETE', '/otep/trackings/X', 'GET, HEAD'],
      ['POST', '/provider/status-mapping', 'GET, PUT, HEAD'],
      ['PATCH', '/otep/validate', 'POST'],
      ['PUT', '/otep/formats', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of cases) {
      const { status, json, headers } = await t.api(path, { method });
      expect([status, json.code, headers.get('allow')], `${method} ${path}`).to.deep.equal([
        405,
        'METHOD_NOT_ALLOWED',
        allow,
      ]);
      for (const one of allow.split(', ').filter((name) => name !== 'HEAD'))
        expect(json.message, 'names the operation').to.match(new RegExp(`${one} \\(\\w+\\)`));
    }
  });

  it('415, 413 and 400 for unreadable bodies, with the reason', async () => {
    const document = JSON.stringify(timelineOf(newNumber(), [event('received')]));
    const send = async (body: unknown, headers: Record<string, string>) => {
      const { status, json } = await t.push(body, { headers });
      return [status, json.code, json.errors?.[0]?.field];
    };
    expect(await send(document, { 'content-type': 'text/plain' })).to.deep.equal([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'content-type',
    ]);
    expect(await send(document, { 'content-type': 'application/json; charset=utf-16' })).to.deep.equal([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'content-type',
    ]);
    expect(await send(document, { 'content-encoding': 'compress' })).to.deep.equal([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'content-encoding',
    ]);
    expect(await send(document, { 'content-encoding': 'gzip' })).to.deep.equal([400, 'INVALID_INPUT', 'body']);
    expect(await send(`${document.slice(0, -1)},"x":"${'y'.repeat(1_048_576)}"}`, {})).to.deep.equal([
      413,
      'BODY_TOO_LARGE',
      'body',
    ]);
    expect(await send(document.slice(1), {})).to.deep.equal([400, 'MALFORMED_JSON', 'body']);
    expect(await send('', {})).to.deep.equal([400, 'MALFORMED_JSON', 'body']);
    expect(await send(`\ufeff${document}`, {})).to.satisfy(([status]: [number]) => status === 200 || status === 400);
    expect(await send(Buffer.from([0x22, 0xff, 0x22]), {})).to.deep.equal([400, 'INVALID_ENCODING', 'body']);
    expect(await send('['.repeat(50) + ']'.repeat(50), {})).to.deep.equal([400, 'TOO_DEEP', 'body']);
    expect(await send('{"subject":{"tracking_number":"A\\ud800"},"events":[]}', {})).to.deep.equal([
      400,
      'INVALID_ENCODING',
      'tracking_number',
    ]);
    expect(await send('{"subject":{"tracking_number":"A\\u0000"},"events":[]}', {})).to.deep.equal([
      400,
      'INVALID_ENCODING',
      'tracking_number',
    ]);
  });

  describe('429', () => {
    const READS = 5;
    const WRITES = 2;
    let slow: TestService;
    before(
      async () =>
        void (slow = await startTestService({
          databaseUrl: t.databaseUrl,
          seed: false,
          env: { RATE_LIMIT_READ: String(READS), RATE_LIMIT_WRITE: String(WRITES) },
        })),
    );
    after(() => slow.stop());

    /** Requests beyond the limit are rejected, except for the quota of each second that the burst takes. */
    const burst = async (count: number, limit: number, request: () => Promise<Awaited<ReturnType<typeof call>>>) => {
      const answers = await Promise.all(Array.from({ length: count }, request));
      const refused = answers.filter(({ status }) => status === 429);
      for (const { json, headers } of refused) {
        expect(json.code).to.equal('RATE_LIMITED');
        expect(Number(headers.get('retry-after'))).to.be.within(1, 2);
        expect(headers.get('ratelimit')).to.match(/^"(read|write)";r=0;t=[12]$/);
        expect(json.message).to.match(/[12]/);
      }
      expect(refused).to.not.be.empty;
      const accepted = answers.filter(({ status }) => status !== 429);
      const seconds = accepted.filter(({ headers }) => headers.get('ratelimit')!.includes(`r=${limit - 1};`)).length;
      expect(accepted.length, `in ${seconds} s`).to.be.at.most(limit * seconds);
    };
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1_100));

    it('with Retry-After for a fast reader, and quota again a second later', async () => {
      await burst(60, READS, () => slow.read(t.demo.trackings[0]!));
      await pause();
      expect((await slow.read(t.demo.trackings[0]!)).status).to.equal(200);
    });

    it('with the remaining quota, in the headers of the draft standard, for operations and documents', async () => {
      await pause();
      const remaining = async () => {
        const { headers } = await slow.read(t.demo.trackings[0]!);
        expect(headers.get('ratelimit-policy')).to.equal(`"read";q=${READS};w=1`);
        expect(headers.get('access-control-expose-headers')).to.contain('RateLimit, RateLimit-Policy');
        return headers.get('ratelimit');
      };
      // A second may end between the two.
      const shown = [`"read";r=4;t=1`, `"read";r=3;t=1`];
      await eventually(
        async () => String([await remaining(), await remaining()]) === String(shown),
        'two reads of one second',
      );
      expect((await call(`${slow.url}/api/openapi.json`)).headers.get('ratelimit')).to.match(/^"read";r=\d;t=1$/);
      const pushed = await slow.push(timelineOf(newNumber(), [event('received')]), { key: t.demo.provider.key });
      expect(pushed.headers.get('ratelimit')).to.match(/^"write";r=[01];t=1$/);
    });

    it('for each key separately, with separate writes and reads', async () => {
      await pause();
      const other = await t.addProvider('quiet-one');
      const push = (key: string) => slow.push(timelineOf(newNumber(), [event('received')]), { key });
      await burst(30, WRITES, () => push(t.demo.provider.key));
      expect((await push(other)).status).to.equal(200);
      expect((await slow.read(t.demo.trackings[0]!, undefined, { key: t.demo.provider.key })).status).to.equal(200);
    });

    it('for attempts with wrong keys', async () => {
      await pause();
      await burst(60, READS, () => slow.read(t.demo.trackings[0]!, undefined, { key: `otp_${'A'.repeat(43)}` }));
    });
  });
});
