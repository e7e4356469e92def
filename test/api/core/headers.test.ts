/** Headers of every response for browsers, from any part of the service. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('headers of every response', () => {
  let test: TestService;
  let behindProxy: TestService;
  let url: string;
  let key: string;
  before(async () => {
    test = await startTestService();
    key = await signIns(test)('client_admin');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    behindProxy = await startTestService({
      databaseUrl: test.databaseUrl,
      seed: false,
      env: { BASE_URL: 'https://transport.example', PORT: String(port) },
    });
  });
  after(async () => {
    await behindProxy?.stop();
    await test?.stop();
  });

  const isPage = 'page';
  const answers: readonly (readonly [what: string, path: string, init?: RequestInit, page?: typeof isPage])[] = [
    ['an operation', '/api/v1/otep/formats'],
    ['a rejected request', '/api/v1/orders'],
    ['an unknown address', '/nowhere'],
    ['an undecodable path', '/api/v1/otep/trackings/%ff'],
    ['a preflight', '/api/v1/orders', { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }],
    ['GraphQL', '/api/graphql', { method: 'POST', headers: JSON_TYPE, body: '{"query":"{ __typename }"}' }],
    ['MCP tools', '/mcp', { method: 'POST', headers: JSON_TYPE, body: LIST }],
    ['a document', '/api/openapi.json'],
    ['metrics', '/metrics'],
    ['the API reference page', '/api/docs', {}, isPage],
    ['the list of error codes', '/api/docs/errors', {}, isPage],
    ['the approvals page', '/mcp-approvals', {}, isPage],
    ['the GraphQL page', '/api/graphql', { headers: { accept: 'text/html' } }, isPage],
    ['the sign-in page for agents', '/oauth/authorize', {}, isPage],
  ];
  for (const [what, path, init, page] of answers)
    it(what, async () => {
      const { headers } = await fetch(url + path, init);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('strict-transport-security')).to.match(/^max-age=\d{8}/);
      const policy = headers.get('content-security-policy');
      expect(policy).to.contain("frame-ancestors 'none'").and.to.contain("base-uri 'none'");
      if (page !== isPage) expect(policy).to.contain("default-src 'none'").and.not.to.contain('src-');
    });

  it('private responses and errors are not cached', async () => {
    const authorization = `Bearer ${key}`;
    const { email, password } = test.demo.users.client_admin;
    const login = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ email, password }) };
    const query = { method: 'POST', headers: { ...JSON_TYPE, authorization }, body: '{"query":"{ __typename }"}' };
    const tools = { method: 'POST', headers: { ...JSON_TYPE, authorization }, body: LIST };
    for (const [path, init] of [
      ['/api/v1/user/login', login],
      ['/api/v1/api-keys', { headers: { authorization } }],
      ['/api/v1/orders', { headers: { authorization } }],
      ['/api/v1/orders', {}],
      ['/nowhere', {}],
      ['/api/graphql', query],
      ['/mcp', tools],
    ] as const)
      expect((await fetch(url + path, init)).headers.get('cache-control'), path).to.equal('no-store');
  });
});
