/** Which operation handles a request, and the error for a request without an operation. */
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { call, type CallOptions } from '../../support/clients/http.js';
import { openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('routing of requests', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let key: string;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    key = await signIns(t)('client_admin');
  });
  after(() => t.stop());

  const send = (path: string, options: CallOptions = {}) => call(`${t.url}${path}`, { key, ...options });

  /** A request whose path is sent byte by byte, unlike with `fetch`. */
  async function sendAsIs(path: string): Promise<{ readonly status: number; readonly json: Record<string, unknown> }> {
    const { hostname, port } = new URL(t.url);
    const body = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      httpRequest({ hostname, port, path, headers: { authorization: `Bearer ${key}` } }, (response) => {
        text(response).then((all) => resolve({ status: response.statusCode!, text: all }), reject);
      })
        .on('error', reject)
        .end();
    });
    return { status: body.status, json: JSON.parse(body.text) as Record<string, unknown> };
  }

  it('prefers a fixed segment to a parameter, and reports an invalid parameter', async () => {
    const found = await send('/api/v1/orders/search?query=nothing');
    expect([found.status, found.json.orders], found.text).to.deep.equal([200, []]);
    const { status, json } = await send('/api/v1/orders/searches');
    expect([status, json.errors[0].field]).to.deep.equal([400, 'order_id']);
    // Only the path with the parameter has this method.
    expect((await send('/api/v1/orders/search', { method: 'PATCH', body: {} })).json.errors[0].field).to.equal(
      'order_id',
    );
  });

  it('accepts a slash at the end and the prefix in capitals, and no other case of a path', async () => {
    for (const path of ['/api/v1/orders/', '/API/v1/orders', '/Api/v1/orders/'])
      expect((await send(path)).status, path).to.equal(200);
    for (const path of ['/api/v1/Orders', '/api/V1/orders', '/api/v1/orders//', '/api//v1/orders', '/apiv1/orders'])
      expect((await send(path)).status, path).to.equal(404);
  });

  it('decodes parameters once, and passes the rest of a path as one parameter', async () => {
    const answers = async (index: string) => {
      const { json } = await send(`/api/v1/audit/log/tile/0/${index}`);
      return [json.code, json.errors?.[0]?.field];
    };
    expect(await answers('x001/000')).to.deep.equal(['NOT_FOUND', undefined]);
    // At most 64 characters.
    expect(await answers('/000'.repeat(17).slice(1))).to.deep.equal(['INVALID_INPUT', 'index']);
    expect(await answers('%2F%C3%A9'.repeat(32))).to.deep.equal(['NOT_FOUND', undefined]);
    expect(await answers('%252F'.repeat(32))).to.deep.equal(['INVALID_INPUT', 'index']);
  });

  it('reports an undecodable path, for every method', async () => {
    for (const path of ['/api/v1/orders/%ZZ', '/api/v1/otep/trackings/%E0%A4%A', '/api/v1/orders/%/hold']) {
      const { status, json } = await sendAsIs(path);
      expect([status, json['code']], path).to.deep.equal([400, 'INVALID_ENCODING']);
      expect(json['errors'], path).to.deep.include.members([
        {
          field: 'path',
          path: '',
          code: 'INVALID_ENCODING',
          message: (json['errors'] as [{ message: string }])[0].message,
        },
      ]);
    }
  });

  it('returns the headers of GET for HEAD, and no body', async () => {
    const [got, head] = [await send('/api/v1/orders'), await send('/api/v1/orders', { method: 'HEAD' })];
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('content-type')).to.equal(got.headers.get('content-type'));
    expect((await send('/api/v1/orders/search', { method: 'HEAD' })).status).to.equal(400);
  });

  it('names the methods and operations of a path without the method', async () => {
    const order = await send('/api/v1/orders/7', { method: 'DELETE' });
    expect([order.status, order.json.code]).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
    expect(order.headers.get('allow')).to.equal('GET, PATCH, HEAD');
    expect(order.json.detail).to.contain('GET (order)').and.contain('POST /cancel (orderCancel)');
    const search = await send('/api/v1/orders/search', { method: 'POST', body: {} });
    expect([search.status, search.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect(search.json.detail).to.contain('GET (ordersSearch)').and.not.contain('orderCancel');
  });

  it('returns 404 if no operation has the path', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1/orders/7/nothing', '/api', '/api/v1', '/nothing'])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
        expect((await send(path, { method })).status, `${method} ${path}`).to.equal(404);
  });

  it('returns methods and announced capabilities for OPTIONS, and CORS headers for preflights', async () => {
    const options = await send('/api/v1/orders/7', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, PATCH, HEAD, OPTIONS']);
    const capture = await send('/api/v1/otep/epcis/capture', { method: 'OPTIONS' });
    expect(capture.status).to.equal(204);
    expect(capture.headers.get('gs1-epcis-version')).to.match(/\d/);
    const preflight = await send('/api/v1/orders/7', {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).to.deep.equal([204, '*']);
  });

  it('also serves an operation at the address of the specification', async () => {
    const body = { type: 'D', delivery: STOP };
    const count = async () => (await fixture.as('client_admin', '/orders')).json.total as number;
    const before = await count();
    for (const path of ['/api/v1/orders', '/api/v1/client/orderCreate']) {
      const { status, json } = await send(path, { body });
      expect(status, path).to.equal(201);
      expect(json, path).to.have.property('order');
    }
    expect(await count()).to.equal(before + 2);
  });

  it('reaches pages, documents and the authorization server', async () => {
    for (const path of [
      '/health/live',
      '/api/docs',
      '/API/DOCS/errors/',
      '/api/openapi.json',
      '/api/ai/capabilities',
      '/.well-known/oauth-authorization-server',
      '/mcp-approvals',
    ])
      expect((await send(path)).status, path).to.equal(200);
    expect((await fetch(`${t.url}/oauth/nothing`)).status).to.equal(404);
    expect((await send('/api/graphql', { body: { query: '{ __typename }' } })).status).to.equal(200);
    const mcp = await fetch(`${t.url}/mcp`, { method: 'PUT' });
    expect([mcp.status, mcp.headers.get('allow')]).to.deep.equal([405, 'POST']);
  });
});
