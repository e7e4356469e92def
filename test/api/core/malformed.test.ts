import { request as httpRequest, Agent } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { PROJECTIONS } from '../../../src/areas/index.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { malformed, malformedEpcis, type Sent } from '../../support/inputs/malformed.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { SEED } from '../../support/worlds/seed.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { expectFieldError } from '../../support/clients/http.js';
import { usedMegabytes } from '../../support/checks/memory.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { isFullDepth, runs } from '../../support/depth.js';

/** Megabytes that may outlive their request: caches, connections. */
const MAX_GROWTH = 100;
const AT_ONCE = 20;
const BUDGET = runs(2_000);
const EPCIS_BUDGET = runs(500);

interface Reply {
  readonly status: number;
  readonly text: string;
}

describe('bad input (A5, G8)', () => {
  let t: TestService;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  before(
    async () => void (t = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } })),
  );
  after(async () => {
    agent.destroy();
    await t.stop();
  });

  /** Unlike fetch, node:http sends paths and headers unchanged. */
  function send({ method, path, headers, body }: Sent): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${t.url}/`,
        {
          method,
          path: `/api/v1${path}`,
          agent,
          headers: {
            ...headers,
            authorization: `Bearer ${t.demo.provider.key}`,
            ...(body && { 'content-length': body.length }),
          },
        },
        (response) => {
          let text = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => (text += chunk))
            .on('end', () => resolve({ status: response.statusCode!, text }))
            .on('error', reject);
        },
      );
      // The server may cut off a rejected body once it has responded.
      request.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve({ status: 0, text: '' }) : reject(error),
      );
      request.end(body);
    });
  }

  function expectSound(sent: Sent, { status, text }: Reply): void {
    const about = `${sent.method} ${sent.path.slice(0, 200)} ${JSON.stringify(sent.headers)} ${sent.body?.subarray(0, 400).toString()}\n→ ${status} ${text.slice(0, 400)}`;
    if (status === 0) return expect(sent.body!.length, about).to.be.above(1_048_576) as never;
    const answer = JSON.parse(text) as { code: string; errors?: unknown[]; events?: { errors?: unknown[] }[] };
    // Input that only looked invalid gets a normal response.
    if (status === 200 || status === 202) return;
    expect(status, about).to.be.within(400, 499);
    expect(answer.code, about).to.match(/^[A-Z_]+$/);
    // An unknown address has no field to report.
    if (answer.code === 'NOT_FOUND') return;
    const errors = [...(answer.errors ?? []), ...(answer.events ?? []).flatMap(({ errors = [] }) => errors)];
    expect(errors, about).to.not.be.empty;
    for (const error of errors) expectFieldError(error, about);
  }

  /** Sends this many generated requests, some concurrently, and checks each response. A failure names the seed. */
  async function sendAll(
    kind: fc.Arbitrary<Sent>,
    numRuns: number,
    seen: (sent: Sent, reply: Reply) => void,
  ): Promise<void> {
    const queue = fc.sample(kind, numRuns).values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const sent of queue) {
          const reply = await send(sent);
          try {
            expectSound(sent, reply);
          } catch (error) {
            throw new Error(`SEED=${SEED}`, { cause: error });
          }
          seen(sent, reply);
        }
      }),
    );
  }

  /** No projection stopped or skipped anything, and the service works. */
  async function expectUnharmed(): Promise<void> {
    const { log, pool, projectionPool } = t.service.engines;
    for (const { name } of PROJECTIONS)
      expect(await t.service.progress.waitFor(name, await log.head(), WAIT_LIMIT_MS), name).to.equal(true);
    expect((await pool.query('select from projections.quarantine')).rowCount).to.equal(0);
    expect(
      (
        await projectionPool.query(
          'select from projections.checkpoints where lease_until > now() and name = any ($1)',
          [PROJECTIONS.map(({ name }) => name)],
        )
      ).rowCount,
    ).to.equal(PROJECTIONS.length);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    const number = newNumber();
    const pushed = await t.push(timelineOf(number, [event('delivered')]));
    expect((await t.read(number, pushed)).json.delivered).to.equal(true);
  }

  it(`is rejected with a code and a field, stores nothing, and uses no lasting memory: ${BUDGET} requests`, async () => {
    const before = await eventCount(t);
    const statuses = new Map<number, number>();
    let accepted = 0;
    const alive = usedMegabytes();
    await sendAll(malformed, BUDGET, ({ path }, { status, text }) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200 && path === '/otep/ingest') accepted += (JSON.parse(text) as { accepted: number }).accepted;
    });
    expect(usedMegabytes() - alive).to.be.below(MAX_GROWTH);
    expect(
      [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0),
      'most of them are bad',
    ).to.be.above(BUDGET / 2);
    // One in 200 is too large, so a sample may have none.
    for (const status of isFullDepth ? [400, 413, 415, 422] : [400, 415, 422])
      expect(statuses.get(status) ?? 0, `some are ${status}`).to.be.above(0);
    // Only acknowledged events are in the log.
    expect((await eventCount(t)) - before).to.equal(accepted);
    await expectUnharmed();
  });

  it(`in EPCIS is also harmless: ${EPCIS_BUDGET} requests`, async () => {
    const alive = usedMegabytes();
    await sendAll(malformedEpcis, EPCIS_BUDGET, () => undefined);
    expect(usedMegabytes() - alive).to.be.below(MAX_GROWTH);
    await expectUnharmed();
  });

  describe('over a bare socket', () => {
    const ask = (text: string | Buffer, { hangUp = false } = {}): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(t.url);
        const socket = connect(Number(port), hostname);
        let answer = '';
        socket
          .setEncoding('utf8')
          .on('data', (chunk: string) => (answer += chunk))
          .on('close', () => resolve(answer))
          .on('error', (error: NodeJS.ErrnoException) =>
            error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
          );
        socket.write(text, () => hangUp && socket.destroy());
        setTimeout(() => socket.end(), 1_000).unref();
      });
    const document = JSON.stringify(timelineOf('RAWSOCKET1', [event('received')]));
    const head = (headers: string) =>
      `POST /api/v1/otep/ingest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nAuthorization: Bearer ${t.demo.provider.key}\r\n${headers}\r\n\r\n`;
    const status = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

    it('a body that is shorter than its length, or never arrives, stores nothing', async () => {
      const before = await eventCount(t);
      for (const length of [document.length + 10, 9_999_999, 1_000_000])
        await ask(`${head(`Content-Length: ${length}`)}${document}`, { hangUp: true });
      for (const part of [1, document.length / 2, document.length])
        await ask(
          `${head('Transfer-Encoding: chunked')}${document.length.toString(16)}\r\n${document.slice(0, part)}`,
          { hangUp: true },
        );
      expect((await t.read('RAWSOCKET1')).status).to.equal(404);
      expect(await eventCount(t)).to.equal(before);
    });

    it('an invalid length or request is a 4xx', async () => {
      for (const headers of [
        'Content-Length: -1',
        'Content-Length: x',
        'Content-Length: 5\r\nContent-Length: 6',
        `Content-Length: 5\r\nTransfer-Encoding: chunked`,
        'Transfer-Encoding: x',
        'Content-Length: 99999999999999999999',
        'Content-Length: 5',
        'Content-Length: 0',
      ]) {
        expect(status(await ask(`${head(headers)}${document}`)), headers).to.be.within(400, 499);
      }
      for (const text of [
        'GET\r\n\r\n',
        'GET / HTTP/9.9\r\n\r\n',
        '\u0000\u0001\u0002\r\n\r\n',
        `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: x\r\n${'x: y\r\n'.repeat(10_000)}\r\n`,
        'GET /api/v1/otep/trackings/\u00ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ]) {
        const code = status(await ask(text));
        expect(Number.isNaN(code) || (code >= 400 && code < 500), `${text.slice(0, 40)} ${code}`).to.equal(true);
      }
    });
  });
});

/** What a push counts as accepted: scans, events with an unknown raw code, their later status, and retractions. */
const ACCEPTED = new Set([
  'TrackingEventRecorded',
  'TrackingEventKept',
  'TrackingEventMapped',
  'TrackingEventRetracted',
]);

async function eventCount({ service }: TestService): Promise<number> {
  return (await storedEvents(service.engines.log)).filter(({ type }) => ACCEPTED.has(type)).length;
}
