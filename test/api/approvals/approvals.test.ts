/** Between an agent and a write: confirmation, dry run and approval, and the outcome of a proposal. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { proposalStream } from '../../../src/events/approvals/events.js';
import { APPROVE_OPERATION } from '../../../src/api/mcp/safety.js';
import {
  callTool,
  listDetails,
  listTools,
  rpc,
  tokenOf,
  type RpcOptions,
  type ToolResult,
} from '../../support/clients/mcp.js';
import { openOrderFixture, STOP, ORDER } from '../../support/worlds/orders.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { laterDays } from '../../support/worlds/days.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { storedEvents } from '../../support/checks/stored-events.js';
import { eventually } from '../../support/eventually.js';
import { CAUSE } from '../../support/worlds/test-core.js';

const HOUR = 3_600_000;
const DEVELOPER = '/mcp/developer';
const APPROVAL = { 'x-mcp-require-approval': '1' };
const DRY = { 'x-mcp-dry-run': '1' };

describe('approvals', () => {
  let service: TestService;
  let admin: string;
  let employee: string;
  let auditor: string;
  let other: string;
  /** Milliseconds that the clock is ahead. */
  let ahead = 0;

  before(async () => {
    service = await startTestService({ now: () => Date.now() + ahead, env: { RATE_LIMIT_WRITE: '100000' } });
    [admin, employee, auditor, other] = (await Promise.all(
      (['client_admin', 'employee', 'auditor', 'other_client_admin'] as const).map((who) => tokenOf(service, who)),
    )) as [string, string, string, string];
  });
  after(() => service.stop());

  const change = (flags: object, options: RpcOptions) =>
    callTool(service, 'update_webhook_settings', flags, { path: DEVELOPER, ...options });
  const settings = async () =>
    (await callTool(service, 'get_webhook_settings', {}, { path: DEVELOPER, token: admin })).structuredContent[
      'webhook_settings'
    ] as Record<string, unknown>;
  const idOf = ({ structuredContent }: ToolResult) => structuredContent['proposal_id'] as string;
  const codeOf = ({ structuredContent }: ToolResult) =>
    (structuredContent['error'] as { code: string } | undefined)?.code;
  const approve = (proposal_id: string, options: RpcOptions = { token: admin }) =>
    callTool(service, 'approve_pending_write', { proposal_id, confirm: true }, options);
  /** Settings that differ from the current ones, so that the request changes something. */
  const flip = async () => ({
    only_terminal_tracking_events: !(await settings())['only_terminal_tracking_events'],
    webhook_secret_overlap_hours: (turn += 1) / 100,
  });
  let turn = 0;
  const propose = async (options: RpcOptions = { token: admin, headers: APPROVAL }) =>
    idOf(await change(await flip(), options));

  it('a high-risk write of a connection that requires approvals becomes a proposal, and has no other effect', async () => {
    const before = await settings();
    const queued = await change(await flip(), {
      token: admin,
      headers: { ...APPROVAL, 'user-agent': 'agent/1.0 <b>' },
    });
    expect(queued.isError).not.to.equal(true);
    expect(queued.structuredContent).to.include({ queued: true, status: 'pending' });
    expect(await settings()).to.deep.equal(before);
    const { json } = await service.api(`/proposals/${idOf(queued)}`, { key: admin });
    expect(json.proposal).to.deep.include({
      status: 'pending',
      tool: 'update_webhook_settings',
      operation: 'webhookSettingsUpdate',
      risk: 'high',
      source: 'header',
      required_scopes: ['webhooks:write'],
      arguments: { only_terminal_tracking_events: true, webhook_secret_overlap_hours: 0.01 },
    });
    expect(json.proposal.proposed_by).to.deep.include({
      user_id: service.demo.users.client_admin.id,
      channel: 'mcp',
      client: 'agent/1.0 <b>',
    });
    expect(json.proposal.summary).to.equal(
      'Change webhook settings: only_terminal_tracking_events true, webhook_secret_overlap_hours 0.01',
    );
    expect(json.proposal.preview).to.have.nested.property('would_append[0].data.only_terminal_tracking_events', true);
  });

  it('contains the profile of the agent: that of the connection, else that of its key', async () => {
    const keyWith = async (rights: object) =>
      (await service.api('/api-keys', { key: admin, body: { name: 'agent', ...rights } })).json.secret as string;
    const profileOf = async (options: RpcOptions) =>
      (await service.api(`/proposals/${await propose(options)}`, { key: admin })).json.proposal.proposed_by.profile as
        string | null;
    const key = await keyWith({ profile: 'full' });
    expect(await profileOf({ token: key, headers: APPROVAL })).to.equal('full');
    expect(
      await profileOf({
        token: key,
        headers: { ...APPROVAL, 'x-mcp-profile': 'support', 'x-mcp-scopes': 'webhooks:write,webhooks:read' },
      }),
    ).to.equal('support');
    expect(
      await profileOf({ token: await keyWith({ scopes: ['webhooks:read', 'webhooks:write'] }), headers: APPROVAL }),
    ).to.equal(null);
    expect(await profileOf({ token: admin, headers: APPROVAL })).to.equal(null);
  });

  it('the same call by the same user is one proposal while it is pending', async () => {
    const flags = await flip();
    const [first, second] = [
      await change(flags, { token: admin, headers: APPROVAL }),
      await change(flags, { token: admin, headers: APPROVAL }),
    ];
    expect(idOf(second)).to.equal(idOf(first));
  });

  it('describes its object for callers who may read it', async () => {
    const fixture = openOrderFixture(service);
    const made = (await fixture.order({ order_ref: 'ABOUT-1' })) as { order_id: number };
    const id = idOf(
      await callTool(service, 'hold_order', { order_id: made.order_id }, { token: admin, headers: APPROVAL }),
    );
    const { json } = await service.api(`/proposals/${id}`, { key: admin });
    const { order } = (await service.api(`/orders/${made.order_id}`, { key: admin })).json;
    expect(order.delivery.name).to.match(/./);
    expect(json.proposal.about).to.deep.equal({
      order_id: made.order_id,
      order_ref: 'ABOUT-1',
      status: 'NEW_ORDER',
      schedule_date: order.schedule_date,
      recipient: `${order.delivery.name}, ${order.delivery.city}`,
    });
    const { json: narrow } = await service.api('/api-keys', {
      key: admin,
      body: { name: 'approvals alone', scopes: ['approvals:read'] },
    });
    const proposal = (await service.api(`/proposals/${id}`, { key: narrow.secret })).json;
    expect(proposal.proposal.id).to.equal(id);
    expect(proposal.proposal).not.to.have.property('about');
    expect((await service.api(`/proposals/${id}/reject`, { key: admin, body: {} })).status).to.equal(200);
  });

  it('a read-only caller may propose; the reviewer needs the scopes of the proposed call', async () => {
    const { structuredContent } = await callTool(
      service,
      'propose_write',
      { tool: 'update_webhook_settings', arguments: await flip(), reason: 'Too many calls <script>' },
      { token: auditor },
    );
    const proposal_id = (structuredContent['proposal'] as { id: string }).id;
    expect((await service.api(`/proposals/${proposal_id}`, { key: auditor })).json).to.have.nested.property(
      'proposal.reason',
      'Too many calls <script>',
    );
    expect((await service.api(`/proposals/${proposal_id}`, { key: auditor })).json.proposal).not.to.have.property(
      'preview',
    );
    for (const token of [auditor, employee])
      expect(
        (
          await rpc(
            service,
            'tools/call',
            { name: 'approve_pending_write', arguments: { proposal_id, confirm: true } },
            { token },
          )
        ).status,
      ).to.equal(403);
    const narrow = await approve(proposal_id, {
      token: admin,
      headers: { 'x-mcp-scopes': 'approvals:write,orders:write' },
    });
    expect(codeOf(narrow)).to.equal('INSUFFICIENT_SCOPE');
    expect((await approve(proposal_id)).structuredContent).to.have.nested.property('proposal.status', 'executed');
  });

  it('only writes can be proposed, with valid arguments, and no secrets', async () => {
    const refused = async (tool: string, args: object = {}) =>
      codeOf(await callTool(service, 'propose_write', { tool, arguments: args }, { token: admin }));
    expect(await refused('no_such_tool')).to.equal('UNKNOWN_TOOL');
    expect(await refused('get_webhook_settings')).to.equal('NOT_A_WRITE');
    expect(await refused('approve_pending_write')).to.equal('NOT_A_WRITE');
    expect(await refused('update_webhook_settings', { nothing: 1 })).to.equal('INVALID_INPUT');
    expect(await refused('update_webhook_settings', { webhook_secret: 'x'.repeat(20) })).to.equal('SECRET_PROPOSED');
  });

  it('account access cannot be proposed, because the reviewer would grant it in their own name', async () => {
    const query = 'mutation { apiKeyCreate(name: "agent", profile: "full") { secret } }';
    const made = await callTool(
      service,
      'run_graphql_query',
      { query, confirm: true },
      { path: DEVELOPER, token: employee, headers: APPROVAL },
    );
    expect(JSON.stringify(made.structuredContent)).to.include('NOT_FOR_ANOTHER');
    const grant = `mutation { oauthGrantRevoke(oauthGrantId: "${'0'.repeat(64)}") { result } }`;
    const revoked = await callTool(
      service,
      'run_graphql_query',
      { query: grant },
      { path: DEVELOPER, token: employee, headers: APPROVAL },
    );
    expect(JSON.stringify(revoked.structuredContent)).to.include('NOT_FOR_ANOTHER');
  });

  it("another business's proposals do not exist", async () => {
    const id = await propose();
    expect((await service.api(`/proposals/${id}`, { key: other })).status).to.equal(404);
    expect((await service.api(`/proposals/${id}/approve`, { key: other, body: {} })).status).to.equal(404);
    expect((await service.api(`/proposals/${id}/reject`, { key: other, body: {} })).status).to.equal(404);
    expect((await service.api('/proposals?status=all', { key: other })).json.proposals).to.deep.equal([]);
  });

  it('20 concurrent approvals execute it once', async () => {
    const id = await propose();
    const answers = await Promise.all(Array.from({ length: 20 }, () => approve(id)));
    expect(answers.filter(({ isError }) => isError !== true)).to.have.length(1);
    expect(new Set(answers.filter(({ isError }) => isError).map(codeOf))).to.deep.equal(new Set(['PROPOSAL_DECIDED']));
    const all = await storedEvents(service.service.engines.log);
    const steps = all.filter(({ stream }) => stream === `proposal-${id}`);
    expect(steps.map(({ type }) => type)).to.deep.equal(['WriteProposed', 'ProposalApproved', 'ProposalExecuted']);
    expect(all.filter(({ metadata }) => steps.some((step) => step.id === metadata['$causationId']))).to.have.length(1);
    expect((await service.api(`/proposals/${id}`, { key: admin })).json.proposal).to.deep.include({
      status: 'executed',
    });
  });

  it('a proposal from before a rename is shown and executed under the new name', async () => {
    const { order_id } = await openOrderFixture(service).order();
    const stream = `order-${order_id as number}`;
    const events = (await storedEvents(service.service.engines.log)).filter((event) => event.stream === stream);
    const proposal_id = randomUUID();
    const data = {
      proposal_id,
      business_id: (await service.api('/me', { key: admin })).json.user.business_id as number,
      tool: 'update_order_note',
      operation: 'orderNote',
      risk: 'medium',
      required_scopes: ['orders:write'],
      arguments_hash: '0'.repeat(64),
      source: 'propose_write' as const,
      proposed_by: service.demo.users.employee.id,
      token: 'of-before',
      channel: 'mcp',
      targets: [{ stream, revision: events.length - 1 }],
      expires_at: new Date(Date.now() + HOUR).toISOString(),
      arguments: { order_id, note: 'of before' },
    };
    const command = { do: 'propose' as const, proposalId: proposal_id, commandId: proposal_id, data };
    await service.service.commands.approvals(proposalStream(proposal_id), command, CAUSE);
    const read = async () => (await service.api(`/proposals/${proposal_id}`, { key: admin })).json.proposal;
    await eventually(async () => (await read())?.operation === 'orderUpdate', 'the proposal is listed');
    expect((await approve(proposal_id)).isError).not.to.equal(true);
    expect(await read()).to.deep.include({ status: 'executed', operation: 'orderUpdate' });
    expect((await service.api(`/orders/${order_id}`, { key: admin })).json.order.note).to.equal('of before');
  });

  it('a conflicting change in the meantime rejects it finally with the reason', async () => {
    const id = await propose();
    await change({ include_personal_data: true }, { token: admin });
    const refused = await approve(id);
    expect(codeOf(refused)).to.equal('PROPOSAL_OUTDATED');
    expect(JSON.stringify(refused.structuredContent)).to.match(/Webhook\w+/);
    expect(codeOf(await approve(id))).to.equal('PROPOSAL_DECIDED');
    expect((await service.api(`/proposals/${id}`, { key: admin })).json.proposal).to.deep.include({ status: 'failed' });
    expect((await settings())['include_personal_data']).to.equal(true);
  });

  it('a rejected proposal stays rejected, and rejecting twice changes nothing', async () => {
    const id = await propose();
    const reject = () =>
      callTool(service, 'reject_pending_write', { proposal_id: id, comment: 'Not today' }, { token: admin });
    expect((await reject()).structuredContent).to.have.nested.property('proposal.decision.comment', 'Not today');
    expect((await reject()).isError).not.to.equal(true);
    expect(codeOf(await approve(id))).to.equal('PROPOSAL_DECIDED');
  });

  it('an expired proposal cannot be decided', async () => {
    const id = await propose();
    ahead += 73 * HOUR;
    try {
      admin = await tokenOf(service, 'client_admin');
      expect((await service.api(`/proposals/${id}`, { key: admin })).json.proposal.status).to.equal('expired');
      expect(codeOf(await approve(id))).to.equal('PROPOSAL_DECIDED');
      expect(codeOf(await callTool(service, 'reject_pending_write', { proposal_id: id }, { token: admin }))).to.equal(
        'PROPOSAL_DECIDED',
      );
      expect(
        (await service.api('/proposals', { key: admin })).json.proposals.map(({ id: one }: { id: string }) => one),
      ).not.to.include(id);
      expect(
        (await service.api('/proposals?status=expired', { key: admin })).json.proposals.map(
          ({ id: one }: { id: string }) => one,
        ),
      ).to.include(id);
    } finally {
      ahead = 0;
    }
  });

  it('a connection that requires approvals cannot give them', async () => {
    const id = await propose();
    expect(codeOf(await approve(id, { token: admin, headers: APPROVAL }))).to.equal('APPROVAL_ELSEWHERE');
    expect(codeOf(await callTool(service, 'approve_pending_write', { proposal_id: id }, { token: admin }))).to.equal(
      'CONFIRM_REQUIRED',
    );
    expect((await service.api(`/proposals/${id}`, { key: admin })).json.proposal.status).to.equal('pending');
  });

  it('an order that changed in the meantime is not held, and an unchanged one is', async () => {
    const fixture = openOrderFixture(service);
    const [changed, unchanged] = [await fixture.order({ order_ref: 'CHANGES-1' }), await fixture.order()] as {
      order_id: number;
    }[];
    const hold = (order_id: number) =>
      callTool(service, 'hold_order', { order_id, reason: 'Asked by phone' }, { token: admin, headers: APPROVAL });
    const [first, second] = [idOf(await hold(changed!.order_id)), idOf(await hold(unchanged!.order_id))];
    await callTool(
      service,
      'update_time_window_by_refs',
      { order_refs: ['CHANGES-1'], time_windows: [{ from: '09:00', to: '12:00' }] },
      { token: admin },
    );
    expect(codeOf(await approve(first))).to.equal('PROPOSAL_OUTDATED');
    expect((await approve(second)).structuredContent).to.have.nested.property('proposal.status', 'executed');
    expect(
      await Promise.all([changed!, unchanged!].map(async ({ order_id }) => (await fixture.read(order_id)).status)),
    ).to.deep.equal(['NEW_ORDER', 'HOLD']);
  });

  it('the proposer gets the error of a forbidden call', async () => {
    const { order_id } = (await openOrderFixture(service).order()) as { order_id: number };
    expect(
      codeOf(await callTool(service, 'release_order', { order_id }, { token: admin, headers: APPROVAL })),
    ).to.match(/^[A-Z_]+$/);
    expect(
      codeOf(await callTool(service, 'hold_order', { order_id: 2_000_000 }, { token: admin, headers: APPROVAL })),
    ).to.equal('ORDER_NOT_FOUND');
  });

  it('lists own and all proposals, by status, tool and risk', async () => {
    const mine = await propose({ token: admin, headers: APPROVAL });
    const list = async (text: string, key = admin) =>
      (await service.api(`/proposals${text}`, { key })).json.proposals.map(
        ({ id: one }: { id: string }) => one,
      ) as string[];
    expect(await list('')).to.include(mine);
    expect(await list('?mine_only=true', auditor)).not.to.include(mine);
    expect(await list('', auditor)).to.include(mine);
    expect(await list('?tool=cancel_order')).to.deep.equal([]);
    expect(await list('?risk=high')).to.include(mine);
    expect(await list('?risk=low')).to.deep.equal([]);
    expect((await list('?status=executed')).length).to.be.greaterThan(0);
    expect(await list('?status=executed')).not.to.include(mine);
  });

  let day: Day | undefined;
  /** No route of another case takes the driver's time. */
  const nextDay = laterDays();
  /** Arguments for every write tool that would change something; a tool without them fails these tests. */
  async function examples(): Promise<Record<string, object>> {
    const fixture = openOrderFixture(service);
    const ref = `R${Date.now()}`;
    const [{ order_id }, { order_id: held }] = [await fixture.order({ order_ref: ref }), await fixture.order()] as [
      { order_id: number },
      { order_id: number },
    ];
    await callTool(service, 'hold_order', { order_id: held, confirm: true }, { token: admin });
    // Route plans need a start.
    day ??= await openDay(service, { drivers: 1 });
    const planned = async (members: object = {}) => {
      const schedule_date = nextDay();
      const order_ids = await day!.orders(1, () => ({ schedule_date }));
      return { order_ids, plan: await day!.plan({ schedule_date, order_ids, ...members }) };
    };
    const { order_ids, plan: committed } = await planned();
    const { plan: solved } = await planned({ auto_commit: false });
    return {
      create_order: ORDER,
      bulk_create_orders: { orders: [ORDER, ORDER] },
      bulk_create_orders_async: { orders: [ORDER] },
      cancel_order: { order_id },
      hold_order: { order_id },
      build_route: { order_ids: [order_id] },
      commit_route_plan: { route_plan_id: solved.id },
      discard_route_plan: { route_plan_id: solved.id },
      remove_orders_from_route: { route_id: committed.routes[0].route_id, order_ids },
      release_order: { order_id: held },
      reroute_to_address: { order_id, delivery: { ...STOP, street: 'Elsewhere 1' } },
      update_delivery_instruction: { order_id, delivery_instruction: 'Ring twice' },
      update_order_note: { order_id, note: 'Gate code 7' },
      update_time_window_by_refs: { order_refs: [ref], schedule_date: '2036-04-01' },
      update_webhook_settings: await flip(),
      test_webhook_delivery: { url: 'https://203.0.113.7/hook' },
      replay_webhook_delivery: { delivery_id: '00000000-0000-4000-8000-000000000000' },
      propose_write: { tool: 'hold_order', arguments: { order_id } },
      approve_pending_write: { proposal_id: await propose() },
      reject_pending_write: { proposal_id: await propose() },
      run_graphql_query: { query: `mutation { orderHold(orderId: ${order_id}) { result } }` },
    };
  }
  /** Tools that write no events, whose events a job writes, or whose example is rejected for a specific reason. */
  const NO_EVENTS = new Set([
    'build_route',
    'commit_route_plan',
    'bulk_create_orders_async',
    'test_webhook_delivery',
    'replay_webhook_delivery',
  ]);

  it('a dry run of every write tool appends nothing, and shows the events that it would append', async () => {
    const made = await examples();
    for (const path of ['/mcp', DEVELOPER]) {
      for (const { name, annotations } of await listTools(service, { token: admin, path })) {
        if (annotations['readOnlyHint'] === true) continue;
        expect(made, name).to.have.property(name);
        const before = await service.service.engines.log.head();
        const { structuredContent, isError } = await callTool(service, name, made[name], {
          token: admin,
          path,
          headers: { ...DRY, ...APPROVAL },
        });
        expect(await service.service.engines.log.head(), name).to.equal(before);
        if (NO_EVENTS.has(name)) continue;
        expect(isError, `${name} ${JSON.stringify(structuredContent)}`).not.to.equal(true);
        expect(structuredContent, name).to.include({ dry_run: true });
        expect(structuredContent['would_append'], name).to.be.an('array').that.is.not.empty;
      }
    }
  });

  it('every high-risk tool except approval is queued under the header; every confirm tool is rejected without confirm', async () => {
    const made = await examples();
    for (const path of ['/mcp', DEVELOPER]) {
      for (const { name, _meta } of await listDetails(service, { token: admin, path })) {
        if (_meta['open-transport/confirm'] === true) {
          const unconfirmed = await callTool(service, name, made[name], { token: admin, path });
          expect(codeOf(unconfirmed), name).to.equal('CONFIRM_REQUIRED');
          // An agent knows the tool, not the operation behind it.
          expect(unconfirmed.structuredContent['error'], name)
            .to.have.property('message')
            .that.matches(new RegExp(`\\b${name}\\b`));
        }
        if (_meta['open-transport/risk'] !== 'high') continue;
        const before = await service.service.engines.log.head();
        const answer = await callTool(service, name, made[name], { token: admin, path, headers: APPROVAL });
        if (name === 'approve_pending_write') expect(codeOf(answer)).to.equal('APPROVAL_ELSEWHERE');
        else if (name !== 'test_webhook_delivery')
          expect(answer.structuredContent, name).to.include({ queued: true, status: 'pending' });
        const appended = await storedEvents(service.service.engines.log, before);
        expect(
          appended.every(({ type }) => type === 'WriteProposed'),
          name,
        ).to.equal(true);
      }
    }
    expect(APPROVE_OPERATION).to.equal('proposalApprove');
  });

  it('run_graphql_query enforces the safety checks of its operations', async () => {
    const { order_id } = (await openOrderFixture(service).order()) as { order_id: number };
    const run = async (more: object = {}, headers = {}) =>
      (
        await callTool(
          service,
          'run_graphql_query',
          { query: `mutation { orderHold(orderId: ${order_id}) { result } }`, ...more },
          { token: admin, path: DEVELOPER, headers },
        )
      ).structuredContent;
    expect(await run()).to.have.nested.property('errors[0].extensions.code', 'CONFIRM_REQUIRED');
    expect(await run({ confirm: true }, APPROVAL)).to.have.nested.property(
      'errors[0].extensions.code',
      'QUEUED_FOR_APPROVAL',
    );
    expect(await run({ confirm: true }, { 'x-mcp-profile': 'ops-readonly' })).to.have.nested.property(
      'errors[0].extensions.code',
      'INSUFFICIENT_SCOPE',
    );
    expect((await openOrderFixture(service).read(order_id)).status).to.equal('NEW_ORDER');
    expect(await run({ confirm: true })).to.have.nested.property('data.orderHold.result', true);
  });

  it('a dry run uses up no id, and repeats its result; the error about a missing confirm names the tool', async () => {
    const order = { type: 'D', delivery: STOP };
    const drawn = async () =>
      (await service.service.engines.pool.query<{ n: string }>('select last_value as n from access.orders_id')).rows[0]!
        .n;
    const before = await drawn();
    const tries = await Promise.all(
      [1, 2, 3].map(() => callTool(service, 'create_order', order, { token: admin, headers: DRY })),
    );
    expect(tries[0]!.structuredContent).to.include({ dry_run: true });
    const dryRunResponses = tries.map(({ structuredContent }) => JSON.stringify(structuredContent['would_answer']));
    expect(new Set(dryRunResponses).size, dryRunResponses[0]).to.equal(1);
    expect(await drawn()).to.equal(before);
    const refused = await callTool(service, 'hold_order', { order_id: 1 }, { token: admin });
    expect(JSON.stringify(refused.structuredContent)).to.include('hold_order').and.not.include('orderHold');
  });

  describe('four eyes', () => {
    const set = (review: string, key = admin) =>
      service.api('/approval-settings', { key, body: { review }, method: 'PATCH' });
    const key = async (token: string) =>
      (await service.api('/api-keys', { key: token, body: { name: 'agent', profile: 'full' } })).json.secret as string;
    after(() => set('anybody'));

    it('a key never approves its own proposals, by MCP or REST, with or without the header', async () => {
      const agent = await key(admin);
      const id = await propose({ token: agent, headers: APPROVAL });
      expect(codeOf(await approve(id, { token: agent }))).to.equal('OWN_PROPOSAL');
      const rest = await service.api(`/proposals/${id}/approve`, { key: agent, body: {} });
      expect([rest.status, rest.json.code]).to.deep.equal([403, 'OWN_PROPOSAL']);
      expect((await approve(id, { token: admin })).isError).not.to.equal(true);
    });

    it('another user must approve if the business requires it, with a session if it requires that', async () => {
      expect((await set('another_person', employee)).status).to.equal(403);
      expect((await set('another_person', await key(admin))).status, 'a key changes no rule').to.equal(403);
      expect((await set('another_person')).status).to.equal(200);
      const own = await propose();
      expect(codeOf(await approve(own, { token: admin }))).to.equal('OTHER_REVIEWER_NEEDED');
      const second = (
        await service.api('/users', {
          key: admin,
          body: {
            email: 'second.admin@example.com',
            password: 'long enough password',
            name: 'Second',
            role: 'client_admin',
          },
        })
      ).json.user.id as number;
      const login = { email: 'second.admin@example.com', password: 'long enough password' };
      const other = (await service.api('/user/login', { body: login })).json.access_token as string;
      expect(second).to.be.a('number');
      const theirs = await key(other);
      expect((await approve(own, { token: theirs })).isError).not.to.equal(true);
      expect((await set('another_person_signed_in')).status).to.equal(200);
      const next = await propose();
      expect(codeOf(await approve(next, { token: theirs }))).to.equal('SIGNED_IN_REVIEWER_NEEDED');
      expect((await approve(next, { token: other })).isError).not.to.equal(true);
      expect((await service.api('/approval-settings', { key: employee })).json.approval_settings.review).to.equal(
        'another_person_signed_in',
      );
    });
  });
});
