/**
 * The cost of unauthenticated clients: every address has a limit, bodies are limited on arrival, nothing returns 500.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

/** Sends bytes unchanged, and returns the response after `wait` milliseconds or at the end of the connection. */
async function raw(url: string, text: string | Buffer, wait = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  socket.on('error', () => undefined);
  socket.write(text);
  const timer = setTimeout(() => socket.destroy(), wait);
  await once(socket, 'close');
  clearTimeout(timer);
  return answer;
}

describe('requests of unauthenticated clients', () => {
  let test: TestService;
  before(async () => (test = await startTestService()));
  after(() => test.stop());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${test.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? (body as string) : JSON.stringify(body),
    });

  it('every address has a limit, including pages and unknown addresses', async () => {
    const small = await startTestService({ env: { RATE_LIMIT_READ: '5' }, databaseUrl: test.databaseUrl, seed: false });
    const requestCount = 60;
    try {
      for (const path of ['/api/docs', '/api/openapi.json', '/llms.txt', '/nowhere', '/mcp-approvals']) {
        const statuses = () =>
          Promise.all(Array.from({ length: requestCount }, async () => (await fetch(small.url + path)).status));
        // A slow machine takes more than one second for them, and each second has its quota.
        await eventually(async () => (await statuses()).includes(429), `a refusal of ${path}`);
      }
      expect((await fetch(`${small.url}/health/live`)).status).to.equal(200);
    } finally {
      await small.stop();
    }
  });

  it('documents are the same for all', async () => {
    const [first, second] = await Promise.all([1, 2].map(async () => (await fetch(`${test.url}/api/docs`)).text()));
    expect(first).to.equal(second).and.contain('</html>');
  });

  it('a connection that sends requests and reads nothing is cut off', async () => {
    const answer = await raw(test.url, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500), 4_000);
    expect(answer.split('HTTP/1.1 200').length - 1).to.be.below(100);
  });

  it('a body is rejected at the limit on arrival, with any compression', async () => {
    const bomb = gzipSync(Buffer.alloc(8_000_000, 32));
    const head = `POST /api/v1/otep/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length + 1}\r\n\r\n`;
    // The last byte is never sent.
    expect(await raw(test.url, Buffer.concat([Buffer.from(head), bomb]))).to.match(/^HTTP\/1\.1 413 /);
    const brotli = await post('/api/v1/otep/validate', brotliCompressSync(Buffer.alloc(1_000, 32)), {
      'content-encoding': 'br',
    });
    expect(brotli.status).to.equal(415);
  });

  it('the body of an unauthorized caller is not awaited', async () => {
    const head =
      'POST /api/v1/client/orderCreate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n';
    expect(await raw(test.url, head)).to.match(/^HTTP\/1\.1 401 /);
  });

  it('a client that disconnects within its body causes no error', async () => {
    const { hostname, port } = new URL(test.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /api/v1/otep/validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
    );
    setTimeout(() => socket.destroy(), 100);
    await once(socket, 'close');
    const metrics = await (await fetch(`${test.url}/metrics`)).text();
    expect(metrics).not.to.match(/route="\/api\/v1\/otep\/validate",status="50[0-9]"/);
  });

  it('inputs that fuzzing found are rejected without an error', async () => {
    const rpc = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const deep = (open: string, times: number) => `{ otepTracking(trackingNumber: ${open.repeat(times)}`;
    const cases: readonly (readonly [string, unknown])[] = [
      ['/mcp', 'null'],
      ['/mcp', rpc([null])],
      ['/mcp/public', { ...rpc({ protocolVersion: true }), method: 'initialize' }],
      ['/mcp', { ...rpc({ cursor: null }), method: 'tools/list' }],
      ['/mcp', rpc({ name: 'get_orders', arguments: { api_token: { toString: 1, valueOf: 2 } } })],
      ['/api/graphql', { query: deep('[', 2_900) }],
      ['/api/graphql', { query: deep('{a:', 1_640) }],
    ];
    for (const [path, body] of cases) {
      const { status } = await post(path, body);
      expect(status, `${path} ${JSON.stringify(body).slice(0, 80)}`).to.be.within(400, 499);
    }
    const named = await post('/api/graphql', {
      query: 'mutation { otepIngestEpcis(document: {type: "EPCISDocument", hasOwnProperty: "x"}) { result } }',
    });
    expect(await named.text()).not.to.contain('INTERNAL');
  });

  it('a file in place of members is rejected over GraphQL', async () => {
    const key = await signIns(test)('client_admin');
    const id = test.demo.orders.assignable[0];
    const query = `{ orderLabel(orderId: ${id}, format: "pdf") { orderLabel { labelCode } } }`;
    const responseText = await (await post('/api/graphql', { query }, { authorization: `Bearer ${key}` })).text();
    expect(responseText).to.contain('NOT_ACCEPTABLE');
  });

  it('a streamed response stays within the listener limit of Node', async () => {
    const warnings: string[] = [];
    const hear = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', hear);
    try {
      const key = await signIns(test)('auditor');
      const answer = await fetch(`${test.url}/api/v1/audit/events/export`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect((await answer.text()).split('\n').length).to.be.above(10);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', hear);
    }
    expect(warnings.filter((message) => message.includes('listeners'))).to.deep.equal([]);
  });

  it('responses for a caller are not cached or framed', async () => {
    const key = await signIns(test)('client_admin');
    const { headers } = await fetch(`${test.url}/api/v1/orders`, { headers: { authorization: `Bearer ${key}` } });
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('x-frame-options')).to.equal('DENY');
  });
});
