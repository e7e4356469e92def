/** The service compresses its responses, except responses with credentials, event streams and files. */
import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const JSON_TYPE = 'application/json';

describe('compressed responses of the service', () => {
  let t: TestService;
  let token: string;
  let auditor: string;
  before(async () => {
    t = await startTestService();
    token = await signIns(t)('client_admin');
    auditor = await signIns(t)('auditor');
  });
  after(() => t.stop());

  interface RequestOptions {
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
  }
  async function ask(path: string, { headers = {}, body }: RequestOptions = {}) {
    const outgoing = send(`${t.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'accept-encoding': 'gzip, br', ...(body !== undefined && { 'content-type': JSON_TYPE }), ...headers },
    }).end(body === undefined ? undefined : JSON.stringify(body));
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const received: { status: number; headers: IncomingHttpHeaders; body: Buffer } = {
      status: message.statusCode!,
      headers: message.headers,
      body: Buffer.concat(chunks),
    };
    return received;
  }
  const authorized = () => ({ authorization: `Bearer ${token}` });
  const rpc = (method: string) => ({ jsonrpc: '2.0', id: 1, method });

  it('JSON, documents, pages, GraphQL, MCP and exports', async () => {
    const all: readonly (readonly [string, RequestOptions?])[] = [
      ['/api/v1/otep/formats'],
      ['/api/v1/orders', { headers: authorized() }],
      ['/api/openapi.json'],
      ['/api/asyncapi.json'],
      ['/api/docs/errors'],
      ['/mcp-approvals'],
      ['/llms.txt'],
      ['/api/ai/tools/graphql'],
      ['/api/ai/tools?format=openai'],
      ['/api/graphql', { body: { query: '{ __schema { types { name description } } }' } }],
      ['/mcp', { body: rpc('tools/list') }],
      ['/api/v1/audit/events/export', { headers: { authorization: `Bearer ${auditor}` } }],
    ];
    for (const [path, options] of all) {
      const { status, headers, body } = await ask(path, options);
      expect(status, path).to.equal(200);
      expect(headers['content-encoding'], path).to.equal('br');
      expect(headers.vary, path).to.contain('Accept-Encoding');
      const text = brotliDecompressSync(body).toString();
      expect(text.length, path).to.be.above(body.length);
      if (headers['content-type']!.includes('json;')) JSON.parse(text);
    }
  });

  it('responses with a credential are uncompressed, whatever their length', async () => {
    const { email, password } = t.demo.users.client_admin;
    const login = await ask('/api/v1/user/login', { body: { email, password } });
    expect(login.status).to.equal(200);
    expect(login.headers['content-encoding']).to.equal(undefined);
    // Several sign-ins in one request make a long response.
    const field = `userLogin(email: ${JSON.stringify(email)}, password: ${JSON.stringify(password)}) { accessToken result expiresAt tokenType expiresTimestamp }`;
    const fields = Array.from({ length: 8 }, (_, index) => `f${index}: ${field}`);
    const over = await ask('/api/graphql', { body: { query: `mutation { ${fields.join(' ')} }` } });
    expect(over.body.length).to.be.above(1_024);
    expect(over.body.toString().match(/accessToken/g)).to.have.length(8);
    expect(over.headers['content-encoding']).to.equal(undefined);
    const authorize = await ask('/oauth/authorize');
    expect(authorize.headers['content-encoding']).to.equal(undefined);
  });

  it('a client without Accept-Encoding gets uncompressed bytes', async () => {
    const outgoing = send(`${t.url}/api/openapi.json`).end();
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(message.headers['content-encoding']).to.equal(undefined);
    expect(message.headers.vary).to.contain('Accept-Encoding');
    message.resume();
    await once(message, 'end');
  });

  it('caches can revalidate a document', async () => {
    const first = await ask('/api/openapi.json');
    const again = await ask('/api/openapi.json', { headers: { 'if-none-match': first.headers.etag! } });
    expect([again.status, again.headers.etag, again.body.length]).to.deep.equal([304, first.headers.etag, 0]);
  });

  it('a PDF is not compressed', async () => {
    const id = t.demo.orders.assignable[0];
    const { status, headers } = await ask(`/api/v1/orders/${id}/label?format=pdf`, {
      headers: { ...authorized(), accept: 'application/pdf' },
    });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.contain('application/pdf');
    expect(headers['content-encoding']).to.equal(undefined);
    expect(headers.etag ?? '').to.not.match(/^W/);
  });
});
