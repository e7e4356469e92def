/** The MCP servers from a client's view: versions, addresses, bare requests, errors. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { PROFILES } from '../../../src/api/core/scopes.js';
import {
  ADDRESSES,
  callTool,
  connect,
  DETAILED,
  listDetails,
  listTools,
  PROTOCOL_VERSIONS,
  rpc,
  tokenOf,
} from '../../support/clients/mcp.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('mcp', () => {
  let service: TestService;
  let token: string;
  let number: string;
  /** Milliseconds since 1970; a test may change it. */
  let clock: number | undefined;

  before(async () => {
    service = await startTestService({ now: () => clock ?? Date.now() });
    token = await tokenOf(service, 'client_admin');
    number = newNumber();
    const pushed = await service.push(
      timelineOf(number, [event('created'), event('in_transit', 1, { location: { city: 'Leip\u200bzig' } })]),
    );
    await service.read(number, pushed);
  });
  afterEach(() => void (clock = undefined));
  after(() => service.stop());

  const toolOf = (path: string) => (path.endsWith('developer') ? 'get_otep_tracking' : 'otep_tracking');

  for (const path of ADDRESSES) {
    for (const version of PROTOCOL_VERSIONS) {
      it(`the official client speaks ${version} at ${path}`, async () => {
        const client = await connect(service, path, version, token);
        expect(client.getNegotiatedProtocolVersion()).to.equal(version);
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).to.include(toolOf(path));
        const { structuredContent, isError } = await client.callTool({
          name: toolOf(path),
          arguments: { tracking_number: number },
        });
        expect(isError).not.to.equal(true);
        expect(structuredContent).to.have.nested.property('subject.tracking_number', number);
        await client.close();
      });
    }

    it(`a bare POST to ${path} gets JSON, whatever it accepts`, async () => {
      for (const accept of ['*/*', 'application/json', 'text/html']) {
        const listed = await rpc(service, 'tools/list', {}, { path, headers: { accept } });
        expect(listed.status).to.equal(200);
        expect(listed.headers.get('content-type')).to.match(/^application\/json/);
        expect(listed.body).to.have.nested.property('result.tools').that.is.an('array').that.is.not.empty;
        const called = await rpc(
          service,
          'tools/call',
          { name: toolOf(path), arguments: { tracking_number: number } },
          { path, headers: { accept } },
        );
        expect(called.status).to.equal(200);
        expect(called.headers.get('content-type')).to.match(/^application\/json/);
        expect(called.body).to.have.nested.property('result.structuredContent.subject.tracking_number', number);
      }
    });
  }

  it('server/discover names all five versions', async () => {
    const answer = await rpc(
      service,
      'server/discover',
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
      { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }, path: '/mcp/public' },
    );
    expect(answer.body)
      .to.have.nested.property('result.supportedVersions')
      .that.has.members([...PROTOCOL_VERSIONS]);
  });

  it('server/discover as a notification is accepted, and 2026-07-28 has no handshake', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const post = (body: object, method: string) =>
      fetch(`${service.url}/mcp/public`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json', 'content-type': 'application/json', 'mcp-method': method },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });
    const discovered = await post({ method: 'server/discover', params: { cursor: '' } }, 'server/discover');
    expect([discovered.status, await discovered.text()]).to.deep.equal([202, '']);
    for (const method of ['initialize', 'ping']) {
      const answer = await post({ id: 1, method, params: { _meta: meta } }, method);
      expect(answer.status, method).to.equal(404);
      expect(await answer.json()).to.have.nested.property('error.code', -32_601);
    }
  });

  it('other methods are 405 with Allow', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${service.url}/mcp`, { method });
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([405, 'POST']);
    }
  });

  it('input that is not JSON-RPC is rejected with a JSON-RPC error', async () => {
    const post = async (body: string, type = 'application/json') => {
      const answer = await fetch(`${service.url}/mcp`, { method: 'POST', body, headers: { 'content-type': type } });
      return [answer.status, ((await answer.json()) as { error: { code: number } }).error.code];
    };
    expect(await post('{')).to.deep.equal([400, -32_700]);
    expect(await post('[1]')).to.have.property('0', 400);
    expect(await post('{}', 'text/plain')).to.have.property('0', 415);
    expect(await post(`{"a":"${'x'.repeat(1_100_000)}"}`)).to.have.property('0', 413);
  });

  it('a page of another origin is rejected, and so is a rebound host', async () => {
    const status = async (headers: Record<string, string>) =>
      (await rpc(service, 'tools/list', {}, { headers })).status;
    expect(await status({ origin: 'https://evil.example' })).to.equal(403);
    expect(await status({ origin: 'null' })).to.equal(403);
    expect(await status({ origin: service.url })).to.equal(200);
    expect(await status({ origin: 'http://localhost:6274' })).to.equal(200);
    const rebound = request(`${service.url}/mcp`, {
      method: 'POST',
      headers: { host: 'evil.example', 'content-type': 'application/json' },
    }).end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(((await once(rebound, 'response')) as [IncomingMessage])[0].statusCode).to.equal(403);
  });

  it('without a token a protected tool is 401, with the authorization server', async () => {
    const answer = await rpc(
      service,
      'tools/call',
      { name: 'otep_client_tracking', arguments: { tracking_number: number } },
      { path: '/api/mcp' },
    );
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('www-authenticate')).to.equal(
      `Bearer scope="${PROFILES['ops-readonly'].join(' ')}", resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/mcp"`,
    );
    expect(answer.body).to.have.nested.property('error.code', 401);
    expect(answer.body).to.have.property('id', 7);
  });

  it('a wrong token is 401 for every method', async () => {
    const answer = await rpc(service, 'tools/list', {}, { token: 'nobody' });
    expect(answer.status).to.equal(401);
    expect(answer.headers.get('www-authenticate')).to.match(
      /^Bearer error="invalid_token", error_description="[^"]+", scope="orders:read [^"]+", resource_metadata="[^"]+\/oauth-protected-resource\/mcp"$/,
    );
  });

  it('a token that lacks a scope is 403, with the scopes to request', async () => {
    const { json } = await service.api('/api-keys', {
      key: token,
      body: { name: 'less', profile: 'datasets-readonly' },
    });
    const call = (headers: Record<string, string>, key: string) =>
      rpc(
        service,
        'tools/call',
        { name: 'otep_client_tracking', arguments: { tracking_number: number } },
        { token: key, headers },
      );
    const answer = await call({}, (json as { secret: string }).secret);
    expect(answer.status).to.equal(403);
    // One request for the whole scope family, in addition to the granted scopes: the new token replaces the old token.
    expect(answer.headers.get('www-authenticate')).to.match(
      /^Bearer error="insufficient_scope", error_description="[^"]+", scope="datasets:read orders:read", resource_metadata="/,
    );
    // The headers of the connection exclude the tool, so a new token would not help.
    const narrowed = await call({ 'x-mcp-profile': 'datasets-readonly' }, token);
    expect([narrowed.status, narrowed.body.error.data.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    expect(narrowed.headers.has('www-authenticate')).to.equal(false);
  });

  it('profiles and scopes only narrow; an invalid one is 400', async () => {
    const names = async (headers: Record<string, string>, who = token) =>
      (await listTools(service, { token: who, headers })).map(({ name }) => name);
    expect(await names({})).to.include('otep_client_tracking');
    expect(await names({ 'x-mcp-profile': 'full' })).to.deep.equal(await names({}));
    expect(await names({ 'x-mcp-scopes': '*' })).to.deep.equal(await names({}));
    expect(await names({ 'x-mcp-profile': 'datasets-readonly' })).not.to.include('otep_client_tracking');
    expect(await names({ 'x-mcp-profile': 'datasets-readonly', 'x-mcp-scopes': 'orders:read' })).to.include(
      'otep_client_tracking',
    );
    expect(await names({ 'x-mcp-scopes': 'uniorder:read' })).not.to.include('otep_client_tracking');
    const key = (
      (await service.api('/api-keys', { key: token, body: { name: 'narrow', profile: 'datasets-readonly' } })).json as {
        secret: string;
      }
    ).secret;
    expect(await names({ 'x-mcp-profile': 'full' }, key)).not.to.include('otep_client_tracking');
    for (const headers of [
      { 'x-mcp-profile': 'root' },
      { 'x-mcp-profile': 'constructor' },
      { 'x-mcp-scopes': 'orders read' },
      { 'x-mcp-scopes': '' },
      { 'x-mcp-dry-run': 'yes' },
    ] as Record<string, string>[]) {
      expect((await rpc(service, 'tools/list', {}, { token, headers })).status, JSON.stringify(headers)).to.equal(400);
    }
  });

  it('get_capabilities equals tools/list, with risk, scopes and confirm', async () => {
    for (const headers of [{}, { 'x-mcp-profile': 'support' }] as Record<string, string>[]) {
      for (const who of [undefined, token]) {
        const { structuredContent } = await callTool(service, 'get_capabilities', {}, { token: who, headers });
        const tools = structuredContent['tools'] as {
          name: string;
          risk: string;
          scopes: string[];
          confirm: boolean;
        }[];
        const listed = await listDetails(service, { token: who, headers });
        expect(tools.map(({ name, risk, scopes, confirm }) => [name, risk, scopes, confirm])).to.deep.equal(
          listed.map(({ name, _meta }) => [
            name,
            ...['risk', 'scopes', 'confirm'].map((key) => _meta[`open-transport/${key}`]),
          ]),
        );
      }
    }
  });

  it('an unknown tool is a protocol error, wrong arguments are a result with an error', async () => {
    expect((await rpc(service, 'tools/call', { name: 'no_such_tool', arguments: {} })).body).to.have.nested.property(
      'error.code',
      -32_602,
    );
    const { isError, structuredContent, content } = await callTool(service, 'otep_tracking', { number });
    expect(isError).to.equal(true);
    expect(structuredContent).to.have.nested.property('error.code', 'INVALID_INPUT');
    expect(
      (structuredContent['error'] as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [
        path,
        code,
      ]),
    ).to.have.deep.members([
      ['/tracking_number', 'REQUIRED'],
      ['/number', 'UNKNOWN_FIELD'],
    ]);
    expect(JSON.parse(content[0]!.text)).to.deep.equal(structuredContent);
    expect(await callTool(service, 'otep_tracking', { tracking_number: 'nowhere' })).to.have.nested.property(
      'structuredContent.error.code',
      'TRACKING_NOT_FOUND',
    );
  });

  it('texts for agents contain no invisible characters', async () => {
    const { structuredContent } = await callTool(service, 'otep_tracking', { tracking_number: number });
    expect(JSON.stringify(structuredContent)).to.include('Leipzig').and.not.include('\u200b');
  });

  it('the argument api_token is a bearer token until the end of 2026, and rejected then', async () => {
    const capabilities = (args: object, options = {}) =>
      rpc(service, 'tools/call', { name: 'get_capabilities', arguments: args }, options);
    clock = Date.parse('2026-12-31T23:59:59Z');
    const late = await tokenOf(service, 'client_admin');
    expect((await capabilities({ api_token: late })).body).to.have.nested.property(
      'result.structuredContent.connection.role',
      'client_admin',
    );
    expect((await capabilities({ api_token: 'nobody' })).status).to.equal(401);
    expect(
      (await capabilities({ api_token: 'nobody' }, { token: late })).body,
      'the header wins',
    ).to.have.nested.property('result.structuredContent.connection.role', 'client_admin');
    clock = Date.parse('2027-01-01T00:00:00Z');
    expect((await capabilities({ api_token: late })).status).to.equal(401);
    expect((await capabilities({ api_token: late }, { token: late })).status, 'also beside a header').to.equal(401);
    clock = undefined;
    for (const { inputSchema } of await listTools(service, { token }))
      expect(inputSchema.properties).not.to.have.property('api_token');
  });

  it('the calls in a batch of an old client get their results one by one', async () => {
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'otep_tracking', arguments: { tracking_number: number } },
    });
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify([call(1), call(2)]),
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-03-26' },
    });
    expect(
      ((await answer.json()) as { id: number; result: object }[]).map(({ id, result }) => [
        id,
        'structuredContent' in result,
      ]),
    ).to.deep.equal([
      [1, true],
      [2, true],
    ]);
  });

  it('every tool declares its output, and each result matches: read, dry run, queued and executed', async () => {
    const client = await connect(service, '/mcp', '2025-11-25', token, DETAILED);
    const { tools } = await client.listTools();
    for (const { name, outputSchema } of tools) expect(outputSchema, name).to.have.property('type', 'object');
    const call = async (name: string, args: object, headers: Record<string, string> = {}) => {
      const one = await connect(service, '/mcp', '2025-11-25', token, { ...headers, ...DETAILED });
      await one.listTools();
      // The official client checks the response against the schema, and throws if it does not match.
      const answer = await one.callTool({ name, arguments: args as Record<string, unknown> });
      expect(answer.isError, `${name} ${JSON.stringify(answer.content).slice(0, 300)}`).not.to.equal(true);
      await one.close();
      return answer.structuredContent as Record<string, unknown>;
    };
    const order = { type: 'D', delivery: { name: 'Ada', street: 'Weg 1', city: 'Berlin', country: 'DE' } };
    const made = await call('create_order', order);
    const order_id = made['order_id'] as number;
    await call('create_order', order, { 'x-mcp-dry-run': '1' });
    await call('bulk_create_orders', { orders: [order, { type: 'X' }], confirm: true });
    await call('hold_order', { order_id, reason: 'x', confirm: true }, { 'x-mcp-require-approval': '1' });
    for (const [name, args] of [
      ['track_package', { tracking_number: number }],
      ['otep_tracking', { tracking_number: number }],
      ['get_capabilities', {}],
      ['get_orders', {}],
      ['get_order_detail', { order_id }],
      ['find_order', { query: 'Ada' }],
      ['get_operation_events', { order_id }],
      ['order_snapshot', { order_id }],
      ['list_exceptions', {}],
      ['print_local_label', { order_id }],
      ['list_pending_approvals', {}],
      ['get_routes', {}],
      ['get_drivers', {}],
      ['search_address', { query: 'Berlin' }],
      ['daily_digest', {}],
      ['get_orders_summary', {}],
      ['get_warehouses', {}],
      ['get_inventory', {}],
    ] as const)
      await call(name, args);
    await client.close();
  });

  it('describes the orders of a batch', async () => {
    for (const name of ['bulk_create_orders', 'bulk_create_orders_async']) {
      const tool = (await listTools(service, { token })).find((one) => one.name === name)!;
      const { items, description } = tool.inputSchema.properties['orders'] as { items: object; description: string };
      expect(items, name).to.deep.equal({ type: 'object' });
      expect(description, name).to.include('arguments of create_order');
    }
  });
});
