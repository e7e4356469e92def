/**
 * Every request of an unauthenticated client counts against the limit of its address, even if its body is never read.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const JSON_BODY = { 'content-type': 'application/json' };
const PACKED = { ...JSON_BODY, 'content-encoding': 'br' };
const PACKED_FORM = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'br' };
const ASKED = 40;

describe('every request counts', () => {
  let test: TestService;
  before(
    async () =>
      (test = await startTestService({ env: { RATE_LIMIT_READ: '5', RATE_LIMIT_WRITE: '5', TRUST_PROXY: '1' } })),
  );
  after(() => test.stop());

  const cases: readonly (readonly [what: string, path: string, RequestInit])[] = [
    ['invalid JSON to MCP', '/mcp', { method: 'POST', body: 'nonsense', headers: JSON_BODY }],
    ['an invalid message to MCP', '/mcp', { method: 'POST', body: 'null', headers: JSON_BODY }],
    [
      'a batch in a version without batches',
      '/mcp',
      { method: 'POST', body: '[]', headers: { ...JSON_BODY, 'mcp-protocol-version': '2025-11-25' } },
    ],
    ['a compressed body to MCP', '/mcp', { method: 'POST', body: '{}', headers: PACKED }],
    ['another method of MCP', '/mcp', { method: 'PUT' }],
    ['a forbidden origin of MCP', '/mcp', { method: 'POST', headers: { origin: 'https://evil.example' } }],
    ['invalid JSON to GraphQL', '/api/graphql', { method: 'POST', body: 'nonsense', headers: JSON_BODY }],
    ['a compressed body to GraphQL', '/api/graphql', { method: 'POST', body: '{}', headers: PACKED }],
    ['another method of GraphQL', '/api/graphql', { method: 'PUT' }],
    ['the GraphQL page', '/api/graphql', { headers: { accept: 'text/html' } }],
    ['invalid JSON to an operation', '/api/v1/otep/validate', { method: 'POST', body: 'nonsense', headers: JSON_BODY }],
    ['a compressed body to an operation', '/api/v1/otep/validate', { method: 'POST', body: '{}', headers: PACKED }],
    ['an undecodable path', '/api/v1/otep/trackings/%ff', {}],
    ['another method of an operation', '/api/v1/orders', { method: 'PUT' }],
    ['OPTIONS of an operation', '/api/v1/orders', { method: 'OPTIONS' }],
    [
      'a preflight',
      '/api/v1/orders',
      { method: 'OPTIONS', headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' } },
    ],
    ['another method of a document', '/api/ai/tools', { method: 'PUT' }],
    ['an unknown sign-in', '/oauth/interaction/nobodys', {}],
    ['a compressed form', '/oauth/interaction/nobodys/login', { method: 'POST', body: 'a=b', headers: PACKED_FORM }],
    ['an unknown address', '/nowhere', { method: 'POST', body: 'x' }],
  ];
  for (const [index, [what, path, request]] of cases.entries())
    it(what, async () => {
      const headers = { ...(request.headers as Record<string, string>), 'x-forwarded-for': `203.0.113.${index}` };
      const statuses = await Promise.all(
        Array.from({ length: ASKED }, async () => (await fetch(test.url + path, { ...request, headers })).status),
      );
      // A slow machine needs more than one second, so it grants the quota more than once.
      expect(statuses.filter((status) => status === 429).length, String(statuses)).to.be.at.least(ASKED / 4);
      expect(statuses.filter((status) => status < 429).length, String(statuses)).to.be.at.least(5);
      expect(statuses.filter((status) => status >= 500)).to.deep.equal([]);
    });

  it('H2: a compressed form is rejected at its first bytes', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(1_000_000, 32));
    const { hostname, port } = new URL(test.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /oauth/interaction/nobodys/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Encoding: br\r\nContent-Length: ${bomb.length}\r\n\r\n`,
    );
    socket.write(bomb.subarray(0, 10));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).to.match(/^HTTP\/1\.1 415 /);
  });
});
