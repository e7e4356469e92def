/** Arguments of every write that control the call: idempotency_key and dry_run. Also which calls can be proposed. */
import { expect } from 'chai';
import { callTool, listTools, tokenOf, type ListedTool } from '../../support/clients/mcp.js';
import { openDay } from '../../support/worlds/day.js';
import { ORDER } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

const SERVERS = ['/mcp', '/mcp/developer'] as const;

describe('writes of agents', () => {
  let service: TestService;
  let token: string;

  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    token = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  const call = async (name: string, args: object, options: { path?: string; headers?: Record<string, string> } = {}) =>
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    (await callTool(service, name, args, { token, ...options })).structuredContent as any;
  const newOrder = async (): Promise<number> => (await call('create_order', ORDER)).order_id;
  const head = () => service.service.engines.log.head();
  const argumentsOf = ({ inputSchema }: ListedTool): string[] => Object.keys(inputSchema.properties);

  it('accept idempotency_key and dry_run, and reads do not', async () => {
    for (const path of SERVERS)
      for (const tool of await listTools(service, { token, path })) {
        const isWrite = tool.annotations['readOnlyHint'] === false;
        const taken = ['idempotency_key', 'dry_run'].filter((name) => argumentsOf(tool).includes(name));
        expect(taken, tool.name).to.have.length(isWrite ? 2 : 0);
      }
  });

  describe('with an idempotency_key', () => {
    it('return the first result for a retry, also with the arguments in another order', async () => {
      const made = await call('create_order', { ...ORDER, idempotency_key: 'retry-1' });
      const position = await head();
      expect(await call('create_order', { idempotency_key: 'retry-1', ...ORDER })).to.deep.equal(made);
      expect(await head()).to.equal(position);
      expect((await call('create_order', { ...ORDER, idempotency_key: 'retry-2' })).order_id).not.to.equal(
        made.order_id,
      );
    });

    it('are rejected with other arguments or another tool, and the argument is named', async () => {
      const { order_id } = await call('create_order', { ...ORDER, idempotency_key: 'used' });
      for (const [name, args] of [
        ['create_order', { ...ORDER, order_ref: 'OTHER' }],
        ['update_order_note', { order_id, note: 'x' }],
      ] as const) {
        const { error } = await call(name, { ...args, idempotency_key: 'used' });
        expect(error.code, name).to.equal('IDEMPOTENCY_KEY_REUSED');
        expect(error.errors[0], name).to.include({ field: 'idempotency_key', path: '/idempotency_key' });
      }
    });

    it('are rejected if the key has spaces or is too long', async () => {
      for (const idempotency_key of ['a b', 'x'.repeat(256), ''])
        expect((await call('create_order', { ...ORDER, idempotency_key })).error.errors[0].path).to.equal(
          '/idempotency_key',
        );
    });

    it('prefer the argument to the header, and the header of a connection still works', async () => {
      const headers = { 'idempotency-key': 'header' };
      const one = await call('create_order', ORDER, { headers });
      expect((await call('create_order', ORDER, { headers })).order_id).to.equal(one.order_id);
      const other = await call('create_order', { ...ORDER, idempotency_key: 'argument' }, { headers });
      expect(other.order_id).not.to.equal(one.order_id);
    });

    it('are one write of run_graphql_query', async () => {
      const order_id = await newOrder();
      const query = `mutation { orderUpdate(orderId: ${order_id}, note: "once") { result } }`;
      const run = (text: string) =>
        call('run_graphql_query', { query: text, idempotency_key: 'graphql' }, { path: '/mcp/developer' });
      const first = await run(query);
      expect(first).to.have.nested.property('data.orderUpdate.result', true);
      const position = await head();
      expect(await run(query)).to.deep.equal(first);
      expect(await head()).to.equal(position);
      expect(await run(query.replace('once', 'twice'))).to.have.nested.property(
        'errors[0].extensions.code',
        'IDEMPOTENCY_KEY_REUSED',
      );
    });
  });

  describe('with dry_run', () => {
    it('append nothing and need no confirm', async () => {
      const order_id = await newOrder();
      const position = await head();
      const { dry_run, would_append, requires_confirm } = await call('hold_order', { order_id, dry_run: true });
      expect([dry_run, requires_confirm]).to.deep.equal([true, true]);
      expect(would_append.map(({ type }: { type: string }) => type)).to.deep.equal(['OrderHeld']);
      expect(await head()).to.equal(position);
      expect((await call('hold_order', { order_id, dry_run: false })).error.code).to.equal('CONFIRM_REQUIRED');
      expect((await call('hold_order', { order_id, dry_run: false, confirm: true })).order.status).to.equal('HOLD');
    });

    it('do not use up an idempotency_key', async () => {
      const args = { ...ORDER, idempotency_key: 'tried' };
      await call('create_order', { ...args, dry_run: true });
      expect((await call('create_order', args)).order_id).to.be.a('number');
    });

    it('show a proposal, and queue none', async () => {
      const args = { tool: 'update_order_note', arguments: { order_id: await newOrder(), note: 'x' } };
      expect((await call('propose_write', { ...args, dry_run: true })).would_append[0].type).to.equal('WriteProposed');
      expect((await call('list_pending_approvals', { tool: 'update_order_note' })).total).to.equal(0);
    });
  });

  describe('that are proposed', () => {
    it('list the tools that can be proposed, also in the error for an unknown tool', async () => {
      const tools = await listTools(service, { token, headers: { 'x-mcp-profile': 'ops-readonly' } });
      const names = tools.find(({ name }) => name === 'propose_write')!.inputSchema.properties['tool']![
        'enum'
      ] as string[];
      expect(names).to.include.members(['hold_order', 'cancel_order', 'create_order', 'build_route']);
      expect(names).not.to.include.members(['get_orders', 'propose_write', 'approve_pending_write']);
      for (const tool of ['get_orders', 'approve_pending_write', 'run_graphql_query'])
        expect((await call('propose_write', { tool, arguments: {} })).error.code, tool).to.be.oneOf([
          'NOT_A_WRITE',
          'INVALID_INPUT',
        ]);
      const { error } = await call('propose_write', { tool: 'put_on_hold', arguments: {} });
      expect([error.code, error.errors[0].code]).to.deep.equal(['UNKNOWN_TOOL', 'UNKNOWN_TOOL']);
      for (const name of names) expect(error.errors[0].message).to.include(name);
    });

    it('contain no idempotency_key or dry_run: these belong to propose_write', async () => {
      const order_id = await newOrder();
      for (const [member, value] of [
        ['idempotency_key', 'inside'],
        ['dry_run', true],
        ['dry_run', false],
      ] as const) {
        const args = { order_id, note: 'x', [member]: value };
        const { error } = await call('propose_write', { tool: 'update_order_note', arguments: args });
        expect([error.code, error.errors[0].field]).to.deep.equal(['NOT_IN_PROPOSAL', member]);
        expect(error.message).to.include(member).and.include('propose_write');
      }
      const args = { tool: 'update_order_note', arguments: { order_id, note: 'x' }, idempotency_key: 'outside' };
      expect(await call('propose_write', args)).to.deep.equal(await call('propose_write', args));
    });

    it('are one proposal for a retry on a connection that asks for approvals', async () => {
      const headers = { 'x-mcp-require-approval': '1' };
      const args = { order_id: await newOrder(), reason: 'x', idempotency_key: 'queued' };
      const { queued, proposal_id } = await call('cancel_order', args, { headers });
      expect(queued).to.equal(true);
      expect((await call('cancel_order', args, { headers })).proposal_id).to.equal(proposal_id);
    });
  });

  it('build_route waits for the plan by default', async () => {
    const day = await openDay(service, { drivers: 1 });
    const order_ids = await day.orders(2);
    const { route_plan: plan } = await call('build_route', {
      schedule_date: day.date,
      order_ids,
      budget: { iterations: 100 },
      confirm: true,
    });
    expect(plan).to.include({ status: 'committed' });
  });
});
