/** Small problems of agents, one test each: the content of responses, rejected input, and the wording of errors. */
import { expect } from 'chai';
import { describeOperations } from '../../../src/compose/describe-operations.js';
import { callTool, listTools, PROTOCOL_VERSIONS, rpc, tokenOf } from '../../support/clients/mcp.js';
import { ORDER, STOP } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('problems of agents', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    service = await startTestService({
      env: {
        RATE_LIMIT_READ: '100000',
        RATE_LIMIT_WRITE: '100000',
        MCP_ORIGINS: 'https://app.example, https://b.example:8443',
      },
    });
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  const call = async (name: string, args: object, headers: Record<string, string> = {}) =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    (await callTool(service, name, args, { token, headers })).structuredContent as any;
  const post = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    return { status: answer.status, json: (await answer.json()) as any };
  };
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const newOrder = async (more: object = {}): Promise<number> =>
    (await call('create_order', { ...ORDER, ...more })).order_id;
  const approving = { 'x-mcp-require-approval': '1' };

  for (const path of ['/mcp', '/api/mcp'])
    for (const version of PROTOCOL_VERSIONS)
      it(`agents O5: ${version} at ${path}: a bare anonymous tools/list and track_package get a result`, async () => {
        const modern = version === '2026-07-28';
        const _meta = modern && {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': {},
        };
        const ask = (method: string, params: object, name?: string) =>
          rpc(
            service,
            method,
            { ...params, ...(_meta && { _meta }) },
            {
              path,
              headers: {
                'mcp-protocol-version': version,
                ...(modern && { 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }),
              },
            },
          );
        const listed = await ask('tools/list', {});
        expect(listed.status).to.equal(200);
        expect(listed.body.result.tools.map(({ name }: { name: string }) => name)).to.have.members([
          'track_package',
          'otep_tracking',
          'get_capabilities',
        ]);
        const args = { tracking_number: service.demo.trackings[0] };
        const tracked = await ask('tools/call', { name: 'track_package', arguments: args }, 'track_package');
        expect(tracked.status).to.equal(200);
        expect(tracked.body.result.structuredContent).to.have.property('tracking_number', args.tracking_number);
      });

  it('L1: a null body is an invalid request, not an internal error', async () => {
    expect((await post('null')).status).to.equal(400);
  });

  it('L2: a GraphQL document cannot be proposed as a write', async () => {
    const reply = await call('propose_write', { tool: 'run_graphql_query', arguments: { query: '{ me { result } }' } });
    expect(reply.error.code).to.equal('NOT_A_WRITE');
    expect(reply.error.errors[0].field).to.equal('tool');
  });

  it('adversary L4: invalid parameters are -32602 with an error text of the service, and name the member', async () => {
    const params = { protocolVersion: true };
    const { status, json } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    expect([status, json.error.code, json.error.data.errors[0].field]).to.deep.equal([400, -32602, 'params']);
    expect(JSON.stringify(json)).to.not.match(/zod|invalid_type|protocolVersion/);
  });

  it('L3: a batch of one gets a batch as response; a repeated id is rejected before anything happens', async () => {
    expect((await post(JSON.stringify([ping(1)]))).json).to.deep.equal([{ jsonrpc: '2.0', id: 1, result: {} }]);
    const twice = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_order', arguments: ORDER } };
    const before = (await call('get_orders', {})).total;
    const { status, json } = await post(JSON.stringify([twice, twice]));
    expect([status, json.error.data.code]).to.deep.equal([400, 'ID_REPEATED']);
    expect((await call('get_orders', {})).total).to.equal(before);
  });

  it('L4: only 2025-03-26, also the default without a version, has batches; a cursor is rejected', async () => {
    for (const version of PROTOCOL_VERSIONS) {
      const { status } = await post(JSON.stringify([ping(1), ping(2)]), { 'mcp-protocol-version': version });
      expect(status, version).to.equal(version === '2025-03-26' ? 200 : 400);
    }
    expect((await post(JSON.stringify([ping(1), ping(2)]))).status).to.equal(200);
    const { body } = await rpc(service, 'tools/list', { cursor: 'bogus' }, { token });
    expect(body.error.code).to.equal(-32_602);
  });

  it('L6: a batch of orders is checked in a dry run and in a proposal', async () => {
    for (const headers of [{ 'x-mcp-dry-run': '1' }, approving] as Record<string, string>[]) {
      const { error } = await call('bulk_create_orders_async', { orders: [{ type: 'ZZZ' }], confirm: true }, headers);
      expect([error.code, error.errors[0].path]).to.deep.equal(['INVALID_INPUT', '/orders/0/type']);
    }
    const orders = [ORDER, { type: 'ZZZ' }];
    const tried = await call('bulk_create_orders_async', { orders }, { 'x-mcp-dry-run': '1' });
    expect(tried.would_append).to.have.length(1);
    expect(tried.would_answer.results.map(({ result }: { result: boolean }) => result)).to.deep.equal([true, false]);
  });

  it('L7: a dry run marks its ids as examples', async () => {
    expect((await call('create_order', ORDER, { 'x-mcp-dry-run': '1' })).note).to.include('examples');
  });

  it('L9: each error is reported once, with the required format or the valid members', async () => {
    const wrong = async (more: object) => (await call('create_order', { ...ORDER, ...more })).error.errors;
    expect(await wrong({ schedule_date: 'tomorrow' })).to.deep.equal([
      {
        field: 'schedule_date',
        path: '/schedule_date',
        code: 'INVALID_FORM',
        message: 'The value is not valid. Expected: a day of the calendar, `YYYY-MM-DD`.',
      },
    ]);
    // Only the format is reported, because it implies the length.
    const countries = await wrong({ delivery: { ...STOP, country: 'Germany' } });
    expect(countries).to.have.length(1);
    expect(countries[0].message).to.include('ISO 3166-1 alpha-2, such as DE');
    const [window] = await wrong({ time_windows: [{ from: '12:00', to: '09:00' }] });
    expect(window.message).to.include('later than `from`');
    const [unknown] = await wrong({ colour: 'red' });
    expect(unknown.message).to.include('delivery, packages').and.not.include('OTEP');
    const [inside] = await wrong({ delivery: { ...STOP, zip: '1' } });
    expect(inside.message).to.include('postal_code');
  });

  it('an error reports a format, never the meaning of a member', async () => {
    for (const [name, args, form] of [
      ['list_exceptions', { schedule_date: '27.11.2026' }, 'a day of the calendar, `YYYY-MM-DD`'],
      ['get_routes', { schedule_date: '27.11.2026' }, 'a day of the calendar, `YYYY-MM-DD`'],
      ['get_orders', { created_from: '27.11.2026' }, 'a day of the calendar, `YYYY-MM-DD`'],
      ['get_inventory', { location: 'a b' }, '1 to 40 of A-Z, a-z, 0-9, ".", "_" and "-"'],
      ['get_async_batch_result', { async_id: 'x' }, 'a UUID'],
      ['create_order', { ...ORDER, delivery: { ...STOP, email: 'x' } }, '`name@example.com`'],
      ['create_order', { ...ORDER, time_windows: [{ from: '9', to: '12:00' }] }, '`HH:MM`'],
    ] as const)
      expect((await call(name, args)).error.errors[0].message, `${name} ${JSON.stringify(args)}`).to.equal(
        `The value is not valid. Expected: ${form}.`,
      );
  });

  it("L10: the proposer reads the outcome of its own proposals only, without the reviewer's response", async () => {
    const customer = await tokenOf(service, 'customer');
    const order_id = await newOrder({ customer_id: service.demo.users.customer.id });
    const [mine, others] = [
      await callTool(service, 'cancel_order', { order_id, reason: 'x' }, { token: customer, headers: approving }),
      await callTool(
        service,
        'cancel_order',
        { order_id: await newOrder(), reason: 'x' },
        { token, headers: approving },
      ),
    ].map(({ structuredContent }) => structuredContent['proposal_id'] as string) as [string, string];
    const list = async () =>
      (await callTool(service, 'list_pending_approvals', { status: 'all' }, { token: customer })).structuredContent;
    expect(await list()).to.have.nested.property('proposals[0].id', mine);
    expect(await list()).to.have.property('total', 1);
    expect((await service.api(`/proposals/${others}`, { key: customer })).status).to.equal(404);
    const approved = await call('approve_pending_write', { proposal_id: mine, confirm: true });
    expect(approved.proposal.execution.response).to.be.an('object');
    const { proposal } = (await service.api(`/proposals/${mine}`, { key: customer })).json;
    expect([proposal.status, proposal.execution.status, proposal.execution.response]).to.deep.equal([
      'executed',
      'succeeded',
      null,
    ]);
    // Any operation can be proposed through GraphQL, so every role with a high-risk operation may read proposals.
    const operations = describeOperations();
    const readers = operations.find(({ name }) => name === 'proposal')!.callers;
    const proposes = operations.filter(
      ({ risk, loginOnly, scopes }) => risk === 'high' && !loginOnly && !scopes?.includes('keys:write'),
    );
    expect(readers).to.include.members(
      proposes.flatMap(({ callers }) => callers).filter((role) => role !== 'platform_admin'),
    );
  });

  it('L11: an agent reads the outcome of its proposal by its id', async () => {
    const { proposal_id } = await call('cancel_order', { order_id: await newOrder(), reason: 'x' }, approving);
    await call('cancel_order', { order_id: await newOrder(), reason: 'x' }, approving);
    const { proposals } = await call('list_pending_approvals', { proposal_id, status: 'all' });
    expect(proposals.map((one: { id: string }) => one.id)).to.deep.equal([proposal_id]);
  });

  it('L12: a note of the order does not invalidate a proposal, but a change of the order does', async () => {
    for (const [name, args, state] of [
      ['update_order_note', { note: 'call first' }, 'executed'],
      ['hold_order', { reason: 'x', confirm: true }, 'rejected'],
    ] as const) {
      const order_id = await newOrder();
      const { proposal_id } = await call('cancel_order', { order_id, reason: 'x' }, approving);
      await call(name, { order_id, ...args });
      const reply = await call('approve_pending_write', { proposal_id, confirm: true });
      if (state === 'executed') expect(reply.proposal.status).to.equal(state);
      else expect(reply.error.code).to.equal('PROPOSAL_OUTDATED');
    }
    const order_id = await newOrder();
    const args = { order_id, note: 'theirs' };
    const { id: proposal_id } = (await call('propose_write', { tool: 'update_order_note', arguments: args })).proposal;
    await call('update_order_note', { order_id, note: 'mine' });
    expect((await call('approve_pending_write', { proposal_id, confirm: true })).error.code).to.equal(
      'PROPOSAL_OUTDATED',
    );
  });

  it('L13: a batch proposal with rejected items reports them', async () => {
    const orders = [ORDER, { type: 'ZZZ' }];
    const { proposal_id } = await call('bulk_create_orders', { orders }, approving);
    const { proposal } = await call('approve_pending_write', { proposal_id, confirm: true });
    expect(proposal.execution.status).to.equal('partly');
    expect(proposal.execution.response).to.include({ created: 1, failed: 1 });
  });

  it('L16: both summaries name the date by which they count', async () => {
    expect((await call('daily_digest', {})).digest.counted_by).to.equal('schedule_date');
    expect((await call('get_orders_summary', {})).summary.counted_by).to.equal('created_at');
  });

  it('L17: an order is found with swapped letters, and by a phone number in common notations', async () => {
    const delivery = { ...STOP, name: 'Erika Mustermann', phone: '+49 40 1234567' };
    const order_id = await newOrder({ delivery, order_ref: 'PG-4711' });
    for (const query of [
      'Mustremann',
      'Mustermnan',
      'mustermann erika',
      '040 1234567',
      '+49 (40) 123-4567',
      'PG4711',
      'pg 4711',
    ]) {
      const { orders } = await call('find_order', { query });
      expect(
        orders.map((one: { id: number }) => one.id),
        query,
      ).to.include(order_id);
    }
  });

  it('L18: a preflight has the same result as the call, and a setting allows additional origins', async () => {
    const asks = async (path: string, origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await fetch(service.url + path, { method: 'OPTIONS', headers });
      const { status } = await rpc(service, 'tools/list', {}, { path, token, headers: { origin } });
      return [answer.status, answer.headers.has('access-control-allow-origin'), status];
    };
    for (const path of [
      '/mcp',
      '/api/mcp',
      '/mcp/public',
      '/mcp/developer',
      '/api/mcp/developer',
      '/mcp/developer/public',
    ]) {
      for (const origin of ['https://evil.example', 'null', 'http://app.example', 'https://app.example:8443'])
        expect(await asks(path, origin), `${origin} at ${path}`).to.deep.equal([403, false, 403]);
      for (const origin of [service.url, 'http://localhost:6274', 'https://app.example', 'https://b.example:8443'])
        expect(await asks(path, origin), `${origin} at ${path}`).to.deep.equal([204, true, 200]);
    }
    expect((await asks('/api/v1/me', 'https://evil.example')).slice(0, 2), 'elsewhere').to.deep.equal([204, true]);
  });

  it('L19: a file result has a text that describes it', async () => {
    const order_id = await newOrder();
    const { content } = await callTool(service, 'print_local_label', { order_id, format: 'pdf' }, { token });
    expect(content.map(({ type }) => type)).to.deep.equal(['text', 'resource']);
    expect(JSON.parse(content[0]!.text)).to.include({ mime_type: 'application/pdf' }).and.not.have.property('base64');
  });

  it('L20: order_snapshot accepts either of two identifiers, and both only for the same order', async () => {
    const { inputSchema } = (await listTools(service, { token })).find(({ name }) => name === 'order_snapshot')!;
    expect(inputSchema.properties['order_id']).not.to.have.property('default');
    const [one, other] = [await newOrder(), await newOrder()];
    const { order } = await call('order_snapshot', { order_id: one });
    const { tracking_number } = order.packages[0];
    expect((await call('order_snapshot', { tracking_number })).order.id).to.equal(one);
    expect((await call('order_snapshot', { order_id: one, tracking_number })).order.id).to.equal(one);
    expect((await call('order_snapshot', { order_id: other, tracking_number })).error.code).to.equal('NOT_FOUND');
  });

  it('M9: a batch counts as one caller', async () => {
    const other = await tokenOf(service, 'other_client_admin');
    const messages = [token, other].map((api_token, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'get_capabilities', arguments: { api_token } },
    }));
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(messages),
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, JSON.stringify(await answer.json()).includes('ONE_CALLER')]).to.deep.equal([400, true]);
  });
});
