/** A second consent to the same application: it replaces the first one, and the application stays the same caller. */
import { expect } from 'chai';
import { callTool, rpc, tokenOf } from '../../support/clients/mcp.js';
import {
  agree,
  authorizeUrl,
  chooseProfile,
  connectAgent,
  createBrowser,
  obtainCode,
  openConsent,
  pkce,
  redeem,
  REDIRECT,
  register,
  type ConsentShown,
} from '../../support/clients/oauth.js';
import { DANGEROUS, PROFILES, SCOPES } from '../../../src/api/core/scopes.js';
import { openOrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- responses of the API */
describe('a repeated consent', () => {
  let service: TestService;
  let session: string;
  before(async () => {
    service = await startTestService();
    session = await tokenOf(service, 'client_admin');
  });
  after(() => service.stop());

  const connect = (scope: string, more: object = {}) =>
    connectAgent(service.url, service.demo.users.client_admin, { scope, ...more });
  const statusOf = async (token: string | undefined) =>
    (await service.api('/orders?per_page=1', { key: token! })).status;
  const applications = async (clientId: string): Promise<any[]> =>
    (await service.api('/oauth/grants', { key: session })).json.oauth_grants.filter(
      ({ client_id }: any) => client_id === clientId,
    );

  it('lists the application once, with the same id and the scopes of the new consent', async () => {
    const browser = createBrowser(service.url);
    const { client_id: clientId } = await connect('orders:read wms:read', { browser });
    const [first, ...none] = await applications(clientId);
    await connect('orders:read orders:write', { clientId, browser });
    const [second, ...others] = await applications(clientId);
    expect([none, others]).to.deep.equal([[], []]);
    expect(second.id).to.equal(first.id);
    expect([first.scopes, second.scopes]).to.deep.equal([
      ['orders:read', 'wms:read'],
      ['orders:read', 'orders:write'],
    ]);
  });

  it('ends the tokens of the earlier consent when the client redeems the new code, not before', async () => {
    const browser = createBrowser(service.url);
    const { json: first, client_id: clientId } = await connect('orders:read orders:write', { browser });
    const elsewhere = await connect('orders:read', { clientId, browser, resource: `${service.url}/api` });
    const otherBrowser = await connect('orders:read', { clientId });
    const other = await connect('orders:read', { browser });
    const employee = await connectAgent(service.url, service.demo.users.employee, { scope: 'orders:read', clientId });
    const { verifier, challenge } = pkce();
    const url = authorizeUrl({ clientId, challenge, scope: 'orders:read', resource: service.url });
    const back = await obtainCode(browser, url, service.demo.users.client_admin);
    expect(await statusOf(first['access_token'])).to.equal(200);
    const { json: second } = await redeem(service.url, {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      client_id: clientId,
      redirect_uri: REDIRECT,
    });
    const tokens = [first, second, elsewhere.json, otherBrowser.json, other.json, employee.json];
    const statuses = await Promise.all(tokens.map((json) => statusOf(json['access_token'])));
    expect(statuses).to.deep.equal([401, 200, 200, 200, 200, 200]);
    const refresh = { grant_type: 'refresh_token', refresh_token: first['refresh_token']!, client_id: clientId };
    expect((await redeem(service.url, refresh)).json['error']).to.equal('invalid_grant');
    expect(await statusOf(second['access_token'])).to.equal(200);
  });

  it('is revoked together with all consents of the application', async () => {
    const one = await connect('orders:read');
    const { client_id: clientId } = one;
    const two = await connect('orders:read wms:read', { clientId, resource: `${service.url}/api` });
    const [application, ...others] = await applications(clientId);
    expect([application.scopes, others]).to.deep.equal([['orders:read', 'wms:read'], []]);
    await service.api(`/oauth/grants/${application.id}`, { key: session, method: 'DELETE' });
    for (const { json } of [one, two]) expect(await statusOf(json['access_token'])).to.equal(401);
    expect(await applications(clientId)).to.deep.equal([]);
  });

  it('does not let an application approve its earlier proposals', async () => {
    const { order_id } = await openOrderFixture(service).order();
    const scope = 'orders:read approvals:read';
    const { json, client_id: clientId } = await connect(scope);
    const { structuredContent } = await callTool(
      service,
      'propose_write',
      { tool: 'hold_order', arguments: { order_id } },
      { token: json['access_token'] },
    );
    const { id } = structuredContent['proposal'] as { id: string };
    const more = await connect(`${scope} orders:write approvals:write`, { clientId });
    const approved = await callTool(
      service,
      'approve_pending_write',
      { proposal_id: id, confirm: true },
      { token: more.json['access_token'] },
    );
    expect((approved.structuredContent['error'] as any)?.code).to.equal('OWN_PROPOSAL');
    const { json: read } = await service.api(`/proposals/${id}`, { key: session });
    expect(read.proposal.status).to.equal('pending');
    expect(read.proposal.proposed_by.token_name, 'the name survives the new consent').to.equal('Test agent');
    // Another application of the same user may approve it.
    const other = await connect(`${scope} orders:write approvals:write`);
    const done = await callTool(
      service,
      'approve_pending_write',
      { proposal_id: id, confirm: true },
      { token: other.json['access_token'] },
    );
    expect(done.isError, JSON.stringify(done.structuredContent)).not.to.equal(true);
  });

  describe('request_profile', () => {
    /** The token after the user agreed, and what the connection gets for a request of the profile. */
    async function granted(choose: (page: ConsentShown) => Promise<[ConsentShown, readonly string[]]>, scope: string) {
      const { client_id: clientId } = await register(service.url);
      const { verifier, challenge } = pkce();
      const browser = createBrowser(service.url);
      const resource = `${service.url}/mcp`;
      const url = authorizeUrl({ clientId, challenge, scope, resource });
      const shown = await openConsent(browser, url, service.demo.users.client_admin);
      const [page, ticked] = await choose(await chooseProfile(browser, shown, shown.profile));
      const chosen = await chooseProfile(browser, page, page.profile);
      const back = await agree(browser, chosen, ticked);
      const { json } = await redeem(service.url, {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        code_verifier: verifier,
        client_id: clientId,
        redirect_uri: REDIRECT,
        resource,
      });
      return { json, clientId };
    }
    const request = (token: string | undefined, profile = 'ops-write') =>
      rpc(
        service,
        'tools/call',
        { name: 'get_capabilities', arguments: { request_profile: profile } },
        { token: token! },
      );

    it('is not repeated for a scope that the user cleared, also after a refresh', async () => {
      const { json, clientId } = await granted(
        (page) => Promise.resolve([page, page.ticked.filter((scope) => scope !== 'routes:write')]),
        PROFILES['ops-write'].join(' '),
      );
      expect(json['scope']!.split(' ')).to.include('orders:write').and.not.include('routes:write');
      const { status, body } = await request(json['access_token']);
      expect(status).to.equal(200);
      const { profiles = [] } = body.result.structuredContent.more ?? {};
      expect(JSON.stringify(profiles.filter(({ profile }: any) => profile !== 'full'))).not.to.include('build_route');
      const refresh = { grant_type: 'refresh_token', refresh_token: json['refresh_token']!, client_id: clientId };
      const renewed = (await redeem(service.url, refresh)).json;
      expect((await request(renewed['access_token'])).status).to.equal(200);
      // Scopes that the user has not decided about are still requested.
      const full = await request(renewed['access_token'], 'full');
      expect(full.status).to.equal(403);
      const asked = /scope="([^"]*)"/.exec(full.headers.get('www-authenticate')!)![1]!.split(' ');
      expect(asked).to.include('wms:write').and.not.include('routes:write');
    });

    it('is allowed after the user chose a smaller profile, which cleared nothing', async () => {
      const { json } = await granted(
        (page) => Promise.resolve([{ ...page, profile: 'support' }, [...PROFILES.support]]),
        PROFILES['ops-write'].join(' '),
      );
      expect(json['scope']!.split(' ')).to.have.members([...PROFILES.support]);
      expect((await request(json['access_token'])).status).to.equal(403);
    });

    it('is allowed for scopes that are never preselected, which the user did not clear', async () => {
      const { json } = await granted((page) => Promise.resolve([page, page.ticked]), 'orders:read approvals:write');
      const { status, headers } = await request(json['access_token']);
      expect(status).to.equal(403);
      expect(headers.get('www-authenticate')).to.include('approvals:write');
      expect(SCOPES.filter((scope) => DANGEROUS.has(scope))).to.include('approvals:write');
    });
  });
});
