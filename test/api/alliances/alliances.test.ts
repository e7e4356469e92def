/** Alliances over real HTTP: founding, inviting, joining, leaving, and who is notified. */
import { expect } from 'chai';
import { sealedOf } from '../../../src/events/core/codec.js';
import { withoutNull } from '../../../src/api/core/fields.js';
import { callTool } from '../../support/clients/mcp.js';
import { graphql } from '../../support/clients/graphql.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openAllianceWorld, type AllianceWorld, type Who } from '../../support/worlds/alliances.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('alliances', () => {
  let t: TestService;
  let w: AllianceWorld;
  before(async () => {
    t = await startTestService();
    w = await openAllianceWorld(t);
  });
  after(() => t.stop());

  const found = async (who: Who = 'client_admin', more: object = {}) =>
    (await w.as(who, '/alliances', { name: 'North', ...more })).json.alliance.id as number;
  const invite = (id: number, business_code: string, more: object = {}, who: Who = 'client_admin') =>
    w.as(who, `/alliances/${id}/invitations`, { business_code, ...more });
  const answer = (id: number, who: Who, body: object) => w.as(who, `/alliances/${id}/invitations/answer`, body);
  const act = (id: number, what: string, who: Who = 'client_admin') => w.as(who, `/alliances/${id}/${what}`, {});

  it('are founded, joined by invitation, and show members to each other; contacts only after joining', async () => {
    const id = await found('client_admin', { purpose: 'Peaks', contact: 'Ada 555' });
    expect((await w.as('other_client_admin', `/alliances/${id}`)).status).to.equal(404);
    expect((await invite(id, 'other')).status).to.equal(200);
    const invited = await w.as('other_client_admin', `/alliances/${id}`);
    expect(invited.json.alliance).to.deep.include({
      name: 'North',
      my_status: 'invited',
      is_steward: false,
      member_count: 1,
    });
    const members = async (who: Who) => (await w.as(who, `/alliances/${id}/members`)).json.members;
    expect(JSON.stringify(await members('other_client_admin'))).to.not.include('Ada 555');
    expect((await answer(id, 'other_client_admin', { accept: true, display_name: 'Others' })).status).to.equal(200);
    expect(await members('other_client_admin')).to.deep.equal(await members('auditor'));
    const [own, other] = await members('employee');
    expect(own).to.deep.include({ business_id: w.giver, code: 'demo', is_steward: true, contact: 'Ada 555' });
    expect(other).to.include({ business_id: w.taker, display_name: 'Others', status: 'joined', is_steward: false });
    // Joining an alliance alone shows nothing to any member.
    for (const who of ['client_admin', 'other_client_admin'] as const)
      expect((await w.as(who, '/alliances/accessible-clients')).json.clients).to.deep.equal([]);
  });

  it('do not exist for other businesses, in any operation', async () => {
    const id = await w.allied();
    const grant = await w.grant(id, { kind: 'orders' });
    for (const path of ['', '/members', '/grants', '/uses'])
      expect((await w.as('third', `/alliances/${id}${path}`)).status, path).to.equal(404);
    for (const [path, body] of [
      ['invitations', { business_code: 'third' }],
      ['invitations', { business_code: 'nobody-there' }],
      ['invitations/answer', { accept: true }],
      ['invitations/answer', { accept: false }],
      ['leave', {}],
      [`members/${w.taker}/remove`, {}],
      ['dissolve', {}],
      ['grants', { kind: 'orders' }],
      [`grants/${grant}/revoke`, {}],
    ] as const) {
      const { status, json } = await w.as('third', `/alliances/${id}/${path}`, body);
      expect([status, json.code], path).to.deep.equal([404, 'ALLIANCE_NOT_FOUND']);
    }
    expect((await w.as('third', '/alliances')).json.alliances).to.deep.equal([]);
    // A taker cannot revoke a grant either.
    const { json } = await w.as('other_client_admin', `/alliances/${id}/grants/${grant}/revoke`, {});
    expect(json.code).to.equal('ALLIANCE_GRANT_NOT_FOUND');
    expect((await invite(id, 'nobody-there')).json.code).to.equal('BUSINESS_NOT_FOUND');
    await act(id, 'dissolve');
  });

  it('alliance 1: are the same over REST, GraphQL and MCP, and a third business sees nothing', async () => {
    const id = await w.allied();
    await w.grant(id, { kind: 'tracking', filter: { order_types: ['D'] } });
    const key = await w.keyOf('other_client_admin');
    const tool = async (name: string, args: object = {}) =>
      (await callTool(t, name, args, { token: key })).structuredContent;
    const rest = async (path: string) => (await w.as('other_client_admin', path)).json;
    const all = { fields: '*', per_page: 50 };
    expect(await tool('list_alliances', all)).to.deep.equal(withoutNull(await rest('/alliances')));
    expect(await tool('get_alliance', { alliance_id: id })).to.deep.equal(await rest(`/alliances/${id}`));
    expect(await tool('list_alliance_members', { alliance_id: id, ...all })).to.deep.equal(
      withoutNull(await rest(`/alliances/${id}/members`)),
    );
    const clients = await rest('/alliances/accessible-clients');
    expect(await tool('list_accessible_clients', all)).to.deep.equal(withoutNull(clients));
    expect(clients.clients[0]).to.deep.include({ business_id: w.giver, code: 'demo', kinds: ['tracking'] });
    const query = `{ accessibleClients { total clients { businessId kinds grants { id filter { orderTypes } } } } }`;
    const { data } = await graphql(t.url, query, { key });
    expect(data.accessibleClients.clients[0]).to.deep.include({ businessId: w.giver, kinds: ['tracking'] });
    const stranger = (name: string, args: object = {}) =>
      w.keyOf('third').then((token) => callTool(t, name, args, { token }));
    expect((await stranger('list_accessible_clients')).structuredContent['clients']).to.deep.equal([]);
    expect((await stranger('list_alliances')).structuredContent['alliances']).to.deep.equal([]);
    for (const name of ['get_alliance', 'list_alliance_members'])
      expect((await stranger(name, { alliance_id: id })).isError, name).to.equal(true);
    await act(id, 'dissolve');
  });

  it('lose members who leave or are removed, with their grants; a steward stays while others do', async () => {
    const id = await w.allied();
    await invite(id, 'third');
    await answer(id, 'third', { accept: true });
    expect((await act(id, 'leave')).json.code).to.equal('ALLIANCE_NEEDS_STEWARD');
    expect((await act(id, `members/${w.third}/remove`, 'other_client_admin')).status).to.equal(403);
    expect((await act(id, 'dissolve', 'other_client_admin')).status).to.equal(403);
    await w.grant(id, { kind: 'orders' });
    expect((await act(id, `members/${w.taker}/remove`)).status).to.equal(200);
    expect((await w.as('other_client_admin', `/alliances/${id}`)).status).to.equal(404);
    const { grants } = (await w.as('client_admin', `/alliances/${id}/grants`)).json;
    expect(grants.map(({ status }: { status: string }) => status)).to.deep.equal(['ended']);
    expect((await act(id, 'leave', 'third')).status).to.equal(200);
    expect((await act(id, 'leave')).status).to.equal(200);
    expect((await w.as('client_admin', `/alliances/${id}`)).status).to.equal(404);
  });

  it('can make a member a steward later, so that the previous steward may leave', async () => {
    const id = await w.allied();
    expect((await invite(id, 'other', { role: 'steward' })).status).to.equal(200);
    const { members } = (await w.as('client_admin', `/alliances/${id}/members`)).json;
    expect(members.map(({ is_steward }: { is_steward: boolean }) => is_steward)).to.deep.equal([true, true]);
    expect((await act(id, 'leave')).status).to.equal(200);
    expect((await act(id, 'dissolve', 'other_client_admin')).status).to.equal(200);
  });

  it('accept the reason for leaving, encrypted under the account of its author', async () => {
    const id = await found('other_client_admin');
    await w.as('other_client_admin', `/alliances/${id}/leave`, { reason: 'Bea is tired' });
    const events = [];
    for await (const event of t.service.engines.log.read(`alliance-${id}`)) events.push(event);
    const left = events.find(({ type }) => type === 'AllianceMemberLeft')!;
    expect(JSON.stringify(left.data), 'sealed').not.to.include('tired');
    expect(sealedOf(left.data)!.subject).to.equal(`account-${t.demo.users.other_client_admin.id}`);
  });

  it('can withdraw invitations, have them declined, and accept each once', async () => {
    const id = await found();
    await invite(id, 'other');
    expect((await act(id, `members/${w.taker}/remove`)).status).to.equal(200);
    expect((await answer(id, 'other_client_admin', { accept: true })).status).to.equal(404);
    await invite(id, 'other', { role: 'steward' });
    await invite(id, 'other');
    expect((await answer(id, 'other_client_admin', { accept: false })).status).to.equal(200);
    expect((await answer(id, 'other_client_admin', { accept: true })).status).to.equal(404);
    expect((await act(id, `members/${w.giver}/remove`)).json.code).to.equal('ALLIANCE_MEMBER_NOT_FOUND');
    expect((await w.as('employee', '/alliances', { name: 'No' })).status).to.equal(403);
  });

  it('keep one of two stewards who remove each other at once', async () => {
    const id = await found();
    await invite(id, 'other', { role: 'steward' });
    await answer(id, 'other_client_admin', { accept: true });
    const both = await Promise.all([
      act(id, `members/${w.taker}/remove`),
      act(id, `members/${w.giver}/remove`, 'other_client_admin'),
    ]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 404]);
  });

  it('erase the contact with its account, and read the same after a rebuild', async () => {
    const id = await found('other_client_admin', { contact: 'Bea 777' });
    const { rows } = await t.service.engines.pool.query<{ text: string }>(
      'select members::text as text from alliances.alliances',
    );
    expect(rows.map(({ text }) => text).join()).not.to.include('Bea 777');
    const members = async () => (await w.as('other_client_admin', `/alliances/${id}/members`)).text;
    expect(await members()).to.include('Bea 777');
    const login = { email: 'bea@example.com', password: 'long enough password' };
    await w.as('other_client_admin', '/users', { ...login, name: 'Bea', role: 'client_admin' });
    const { access_token: key } = (await t.api('/user/login', { body: login })).json;
    const subject = `account-${t.demo.users.other_client_admin.id}`;
    const erased = await t.api(`/privacy/subjects/${subject}/erase`, { key, body: {} });
    expect(erased.status, erased.text).to.equal(200);
    expect((await t.api(`/alliances/${id}/members`, { key })).text).not.to.include('Bea 777');
    await expectSameReplay(t, ['alliances', 'timers']);
  });
});
