/**
 * AG2: consent, more scopes and revocation, driven by the official SDKs and mcp-remote over HTTP. The tests are the
 * user's browser.
 */
import { expect } from 'chai';
import { application, hostOf, type Generation, type HostClient, type ToolAnswer } from '../../support/clients/hosts.js';
import { startMcpRemote, type McpRemote } from '../../support/clients/mcp-remote.js';
import { tokenOf } from '../../support/clients/mcp.js';
import {
  agree,
  chooseProfile,
  createBrowser,
  openConsent,
  REDIRECT,
  type Browser,
  type ConsentShown,
} from '../../support/clients/oauth.js';
import { DANGEROUS, PROFILES } from '../../../src/api/core/scopes.js';
import { ORDER } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('AG2: agents get more scopes', () => {
  let service: TestService;
  let session: string;
  let browser: Browser;
  before(async () => {
    service = await startTestService();
    session = await tokenOf(service, 'client_admin');
    browser = createBrowser(service.url);
  });
  after(() => service.stop());

  const READ_ONLY = [...PROFILES['ops-readonly']];
  const OPS_WRITE = PROFILES['ops-write'].filter((scope) => !DANGEROUS.has(scope));

  async function newOrder(): Promise<number> {
    const { json, text } = await service.api('/orders', { key: session, body: ORDER });
    return (json.order?.id ?? expect.fail(text)) as number;
  }
  const noteOf = async (order: number): Promise<unknown> =>
    (await service.api(`/orders/${order}`, { key: session })).json.order.note;
  const writeNote = (client: HostClient, order_id: number, note: string): Promise<ToolAnswer> =>
    client.callTool({ name: 'update_order_note', arguments: { order_id, note } });
  const openPage = (url: string): Promise<ConsentShown> => openConsent(browser, url, service.demo.users.client_admin);

  /** The user disconnects all applications. */
  async function revokeAll(): Promise<void> {
    const { json } = await service.api('/oauth/grants', { key: session });
    expect(json.oauth_grants).not.to.deep.equal([]);
    for (const { id } of json.oauth_grants)
      expect((await service.api(`/oauth/grants/${id}`, { key: session, method: 'DELETE' })).status).to.equal(200);
  }

  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      (value) => expect.fail(`It succeeded: ${JSON.stringify(value)}`),
      (error: unknown) => error,
    );

  /** A host of this SDK version, and the page to which it sends its user. */
  async function hostWith(generation: Generation, headers: Record<string, string> = {}) {
    let sent: URL | undefined;
    const app = application(REDIRECT, (url) => (sent = url));
    const host = await hostOf(generation, `${service.url}/mcp`, { authProvider: app, requestInit: { headers } });
    return {
      app,
      host,
      /** The work fails because a user must agree first; returns the consent page. */
      async sentBy(work: Promise<unknown>): Promise<ConsentShown> {
        sent = undefined;
        const error = await failureOf(work);
        if (!sent) throw new Error(`No page was opened: ${String(error)}`, { cause: error });
        return openPage((sent as URL).href);
      },
      /** The user agrees; returns a client with the new token. */
      async agreed(consent: ConsentShown): Promise<HostClient> {
        await host.finish((await agree(browser, consent, consent.ticked)).searchParams);
        return host.connect();
      },
    };
  }

  async function expectListed(client: HostClient, isListed: boolean): Promise<void> {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).to.include('get_orders');
    expect(names.includes('update_order_note')).to.equal(isListed);
  }
  async function expectWritten(client: HostClient, order: number, note: string): Promise<void> {
    const { isError, content } = await writeNote(client, order, note);
    expect(isError, JSON.stringify(content)).not.to.equal(true);
    expect(await noteOf(order)).to.equal(note);
  }

  for (const generation of ['1.17', '1.32'] as const) {
    it(`AG2: SDK ${generation} writes after the user chose ops-write at the first consent`, async () => {
      const order = await newOrder();
      const { app, host, sentBy, agreed } = await hostWith(generation);
      const consent = await sentBy(host.connect());
      expect([consent.profile, ...consent.ticked]).to.have.members(['ops-readonly', ...READ_ONLY]);
      const client = await agreed(await chooseProfile(browser, consent, 'ops-write'));
      expect(app.tokens()!.scope?.split(' ')).to.have.members(OPS_WRITE);
      await expectListed(client, true);
      await expectWritten(client, order, `by ${generation}`);
      await client.close();
    });

    it(`AG2: SDK ${generation} stays read-only if the user does not choose another profile`, async () => {
      const order = await newOrder();
      const { host, sentBy, agreed } = await hostWith(generation);
      const client = await agreed(await sentBy(host.connect()));
      await expectListed(client, false);
      await failureOf(writeNote(client, order, 'not allowed'));
      expect(await noteOf(order)).not.to.equal('not allowed');
      await client.close();
    });
  }

  it('AG2: SDK 1.32 requests the profile of its header', async () => {
    const { host, sentBy, agreed } = await hostWith('1.32', { 'X-MCP-Profile': 'ops-write' });
    const consent = await sentBy(host.connect());
    expect(consent.profile).to.equal('ops-write');
    expect(consent.ticked).to.have.members(OPS_WRITE);
    const client = await agreed(consent);
    await expectWritten(client, await newOrder(), 'by header');
    await client.close();
  });

  it('AG2: SDK 2.4 asks for more scopes when a write needs them', async () => {
    const order = await newOrder();
    const { app, host, sentBy, agreed } = await hostWith('2.4');
    const first = await agreed(await sentBy(host.connect()));
    expect(app.tokens()!.scope?.split(' ')).to.have.members(READ_ONLY);
    await expectListed(first, false);
    const consent = await sentBy(writeNote(first, order, 'too early'));
    expect(consent.profile).to.equal('requested');
    expect(consent.ticked).to.have.members([...READ_ONLY, 'orders:write']);
    expect(await noteOf(order)).not.to.equal('too early');
    const client = await agreed(consent);
    await expectListed(client, true);
    await expectWritten(client, order, 'by 2.4');
    await client.close();
    await first.close();
  });

  it('AG2: SDK 2.4 asks for a profile that get_capabilities offers', async () => {
    const { host, sentBy, agreed } = await hostWith('2.4');
    const first = await agreed(await sentBy(host.connect()));
    const capabilities = async (client: HostClient, args: object = {}) =>
      JSON.parse((await client.callTool({ name: 'get_capabilities', arguments: args })).content[0]!.text!) as {
        more?: { profiles: { profile: string; adds: string[] }[] };
      };
    const { more } = await capabilities(first);
    const offered = more!.profiles.find(({ profile }) => profile === 'ops-write')!;
    expect(offered.adds).to.include.members(['create_order', 'build_route']).and.not.include('get_orders');
    expect(more!.profiles.map(({ profile }) => profile)).not.to.include.members(['ops-readonly', 'support']);
    const consent = await sentBy(capabilities(first, { request_profile: 'ops-write' }));
    expect(consent.profile).to.equal('ops-write');
    const client = await agreed(consent);
    const after = await capabilities(client, { request_profile: 'ops-write' });
    expect(JSON.stringify(after.more ?? {})).not.to.include('"create_order"');
    await expectListed(client, true);
    await client.close();
    await first.close();
  });

  for (const generation of ['1.17', '1.32', '2.4'] as const)
    it(`AG2: SDK ${generation} signs in again after the user revoked its access`, async () => {
      const { app, host, sentBy, agreed } = await hostWith(generation);
      const client = await agreed(await sentBy(host.connect()));
      await client.listTools();
      const { access_token } = app.tokens()!;
      await revokeAll();
      const refused = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      expect(refused.status).to.equal(401);
      const consent = await sentBy(client.listTools());
      expect(consent.profile).to.equal('ops-readonly');
      const again = await agreed(consent);
      expect(app.tokens()!.access_token).not.to.equal(access_token);
      await expectListed(again, false);
      await again.close();
      await client.close();
    });

  describe('mcp-remote', () => {
    let remote: McpRemote;
    beforeEach(async () => {
      remote = await startMcpRemote(service.url, '/mcp');
    });
    afterEach(() => remote.stop());

    /** The user agrees on the page that the program opens during this work. */
    async function agreeDuring(work: Promise<unknown>): Promise<ConsentShown> {
      work.catch(() => undefined);
      const consent = await openPage(await remote.nextPage(work));
      await remote.redirect(await agree(browser, consent, consent.ticked));
      return consent;
    }

    it('AG2: mcp-remote asks for more scopes when a write needs them', async () => {
      const order = await newOrder();
      const { ticked } = await agreeDuring(remote.connected);
      expect(ticked).to.have.members(READ_ONLY);
      await remote.connected;
      await expectListed(remote.client, false);
      const written = writeNote(remote.client, order, 'by mcp-remote');
      const consent = await agreeDuring(written);
      expect(consent.ticked).to.have.members([...READ_ONLY, 'orders:write']);
      await written.catch(() => undefined);
      await expectWritten(remote.client, order, 'by mcp-remote, later');
    });

    it('AG2: mcp-remote signs in again after the user revoked its access', async () => {
      await agreeDuring(remote.connected);
      await remote.connected;
      await expectListed(remote.client, false);
      await revokeAll();
      const listed = remote.client.listTools();
      const consent = await agreeDuring(listed);
      expect(consent.profile).to.equal('ops-readonly');
      await listed.catch(() => undefined);
      await expectListed(remote.client, false);
    });
  });
});
