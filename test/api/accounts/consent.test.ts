/** Consent: which scopes a client gets, whatever it registered with, requests, or sends in place of the user. */
import { expect } from 'chai';
import {
  agree,
  authorizeUrl,
  chooseProfile,
  createBrowser,
  follow,
  openConsent,
  pkce,
  redeem,
  REDIRECT,
  register,
  type Browser,
  type ConsentShown,
} from '../../support/clients/oauth.js';
import { rpc, tokenOf } from '../../support/clients/mcp.js';
import { DANGEROUS, PROFILES, ROLE_SCOPES, SCOPES } from '../../../src/api/core/scopes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('consent to an application', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  type User = 'client_admin' | 'employee' | 'driver' | 'customer';

  /** A client with an open consent page. */
  async function requesting(user: User, scope: string | undefined, metadata: object = {}, browser?: Browser) {
    const { client_id: clientId } = await register(service.url, metadata);
    return requestingAs(clientId, user, scope, browser);
  }
  async function requestingAs(
    clientId: string,
    user: User,
    scope: string | undefined,
    browser = createBrowser(service.url),
  ) {
    const { verifier, challenge } = pkce();
    const resource = `${service.url}/mcp`;
    const url = authorizeUrl({ clientId, challenge, scope, resource });
    const consent = await openConsent(browser, url, service.demo.users[user]);
    const token = async (back: URL) => {
      const { json, status } = await redeem(service.url, {
        grant_type: 'authorization_code',
        code: back.searchParams.get('code')!,
        code_verifier: verifier,
        client_id: clientId,
        redirect_uri: REDIRECT,
        resource,
      });
      expect(status, JSON.stringify(json)).to.equal(200);
      return json;
    };
    return {
      clientId,
      browser,
      consent,
      token,
      /** The token after the user submitted the page with these scopes. */
      async granted(page: ConsentShown, scopes: readonly string[] = page.ticked) {
        return token(await agree(browser, page, scopes));
      },
    };
  }

  /** The scopes that a connection with this token has. */
  async function scopesOf(token: string): Promise<string[]> {
    const { body } = await rpc(service, 'tools/call', { name: 'get_capabilities', arguments: {} }, { token });
    return body.result.structuredContent.connection.scopes as string[];
  }

  it('H1: a client that registered with scopes may request others later', async () => {
    for (const scope of ['orders:read', SCOPES.join(' '), 'mcp:tools everything']) {
      const first = await requesting('client_admin', 'orders:read', { scope });
      expect(await scopesOf((await first.granted(first.consent))['access_token']!)).to.deep.equal(['orders:read']);
      const more = await requestingAs(first.clientId, 'client_admin', 'orders:read orders:write', first.browser);
      expect(more.consent.ticked).to.deep.equal(['orders:read', 'orders:write']);
      const json = await more.granted(more.consent);
      expect(json['scope']).to.equal('orders:read orders:write');
      expect(await scopesOf(json['access_token']!)).to.deep.equal(['orders:read', 'orders:write']);
    }
  });

  it('H1: a client that registered before this rule may request others, too', async () => {
    const { client_id } = await register(service.url);
    const { pool, oauthVault } = service.service.engines;
    const { rows } = await pool.query<{ id: Buffer; payload: Buffer }>(
      "select id, payload from access.oauth where model = 'Client' and id = sha256(convert_to($1, 'UTF8'))",
      [client_id],
    );
    const { id, payload } = rows[0]!;
    const context = `Client ${id.toString('hex')}`;
    const stored = JSON.parse(oauthVault.open(payload, context).toString()) as object;
    expect(stored).not.to.have.property('scope');
    const limited = oauthVault.seal(Buffer.from(JSON.stringify({ ...stored, scope: 'orders:read' })), context);
    await pool.query("update access.oauth set payload = $2 where model = 'Client' and id = $1", [id, limited]);
    const { consent } = await requestingAs(client_id, 'client_admin', 'orders:read orders:write');
    expect(consent.ticked).to.deep.equal(['orders:read', 'orders:write']);
  });

  it('H1: the requested profile is preselected, and another one only after the user chose it', async () => {
    for (const profile of ['ops-readonly', 'support', 'wms-readonly'] as const) {
      const { consent } = await requesting('client_admin', PROFILES[profile].join(' '));
      expect(consent.profile).to.equal(profile);
      expect(consent.scopes).to.have.members([...PROFILES[profile]]);
      expect(consent.ticked).to.have.members([...PROFILES[profile]]);
      expect(consent.profiles).to.have.members(Object.keys(PROFILES));
    }
    const { consent } = await requesting('client_admin', undefined);
    expect(consent.profile).to.equal('ops-readonly');
    const { consent: single } = await requesting('client_admin', 'orders:read orders:write');
    expect([single.profile, single.scopes.join(' ')]).to.deep.equal(['requested', 'orders:read orders:write']);
  });

  it('H1: the user grants a larger profile than the client requested, for the token and its successors', async () => {
    const { browser, consent, granted, clientId } = await requesting(
      'client_admin',
      PROFILES['ops-readonly'].join(' '),
    );
    const chosen = await chooseProfile(browser, consent, 'ops-write');
    const harmless = PROFILES['ops-write'].filter((scope) => !DANGEROUS.has(scope));
    expect(chosen.ticked).to.have.members(harmless);
    const json = await granted(chosen);
    // RFC 6749, 5.1: the response names the scope if it differs from the request.
    expect(json['scope']!.split(' ')).to.have.members(harmless);
    expect(await scopesOf(json['access_token']!)).to.have.members(harmless);
    const renewed = await redeem(service.url, {
      grant_type: 'refresh_token',
      refresh_token: json['refresh_token']!,
      client_id: clientId,
    });
    expect(await scopesOf(renewed.json['access_token']!)).to.have.members(harmless);
  });

  it('H1: the user grants a smaller profile than the client requested', async () => {
    const { browser, consent, granted } = await requesting('client_admin', PROFILES['ops-write'].join(' '));
    expect(consent.profile).to.equal('ops-write');
    const json = await granted(await chooseProfile(browser, consent, 'support'));
    expect(json['scope']!.split(' ')).to.have.members([...PROFILES.support]);
  });

  it('H1: no profile preselects a decision on proposals; only the checkbox grants it', async () => {
    for (const profile of ['ops-write', 'full']) {
      const { browser, consent, granted } = await requesting('client_admin', PROFILES['ops-readonly'].join(' '));
      const chosen = await chooseProfile(browser, consent, profile);
      expect(chosen.scopes).to.include('approvals:write');
      expect(chosen.ticked.filter((scope) => DANGEROUS.has(scope as never))).to.deep.equal([]);
      expect((await granted(chosen))['scope']!.split(' ')).not.to.include('approvals:write');
    }
    const { browser, consent, granted } = await requesting('client_admin', PROFILES['ops-readonly'].join(' '));
    const chosen = await chooseProfile(browser, consent, 'ops-write');
    const json = await granted(chosen, [...chosen.ticked, 'approvals:write']);
    expect(json['scope']!.split(' ')).to.include('approvals:write');
  });

  it('H1: a request for scopes that the user may not grant shows them, and grants the others', async () => {
    const { consent, granted } = await requesting('employee', 'orders:read orders:write approvals:write privacy:write');
    expect(consent.scopes).to.deep.equal(['orders:read', 'orders:write']);
    expect(consent.html).to.include('<code>approvals:write privacy:write</code>');
    const json = await granted(consent, ['orders:read', 'orders:write', 'approvals:write', 'privacy:write']);
    expect(json['scope']).to.equal('orders:read orders:write');
    const none = await requesting('driver', 'analytics:read privacy:write');
    expect([none.consent.profile, none.consent.scopes.length]).to.deep.equal(['requested', 0]);
    const refused = await agree(none.browser, none.consent, ['privacy:write']);
    expect(refused.searchParams.get('error')).to.equal('access_denied');
  });

  it('H1: no user grants a scope that their role lacks, in any profile', async () => {
    for (const user of ['employee', 'driver', 'customer'] as const) {
      const { browser, consent, granted } = await requesting(user, PROFILES['ops-readonly'].join(' '));
      for (const profile of consent.profiles) {
        const { scopes } = await chooseProfile(browser, consent, profile);
        expect(
          scopes.filter((scope) => !ROLE_SCOPES[user].has(scope as never)),
          `${user} ${profile}`,
        ).to.deep.equal([]);
      }
      const full = await chooseProfile(browser, consent, 'full');
      const json = await granted(full, SCOPES);
      expect(json['scope']!.split(' ')).to.have.members([...ROLE_SCOPES[user]]);
    }
  });

  it('H1: a form with a profile that was not offered grants nothing', async () => {
    const { browser, consent, granted } = await requesting('driver', PROFILES['ops-readonly'].join(' '));
    expect(consent.profiles).not.to.include('alliance-readonly');
    for (const profile of ['alliance-readonly', 'requested', 'root', 'constructor', '', ['full', 'ops-readonly']]) {
      const form = { profile, scope: [...SCOPES] };
      const refused = await browser.open(`${consent.url}/consent`, form);
      expect([refused.status, refused.location], JSON.stringify(profile)).to.deep.equal([400, null]);
      const shown = await browser.open(
        `${consent.url}?${new URLSearchParams([['profile', String(profile)]]).toString()}`,
      );
      expect(shown.status, JSON.stringify(profile)).to.equal(400);
    }
    // The page is still open, and the refused forms added nothing.
    expect((await granted(consent))['scope']!.split(' ')).to.have.members([
      'orders:read',
      'routes:read',
      'drivers:read',
      'address:read',
    ]);
  });

  it('H1: a form with scopes that its profile does not show grants only the scopes that were shown', async () => {
    const { granted, consent } = await requesting('client_admin', PROFILES.support.join(' '));
    const json = await granted(consent, [...SCOPES, 'everything:write']);
    expect(json['scope']!.split(' ')).to.have.members([...PROFILES.support]);
    // A form without a profile is one of the requested profile.
    const other = await requesting('client_admin', PROFILES.support.join(' '));
    const agreed = await other.browser.open(`${other.consent.url}/consent`, { scope: [...SCOPES] });
    const without = await other.token(new URL((await follow(other.browser, agreed.location!)).url));
    expect(without['scope']!.split(' ')).to.have.members([...PROFILES.support]);
    const connection = await rpc(service, 'tools/list', {}, { token: json['access_token'], path: '/mcp/developer' });
    expect(connection.status, 'another address').to.equal(401);
  });

  it('H1: the consent page of a chosen profile cannot be framed and has no script', async () => {
    const { browser, consent } = await requesting('client_admin', PROFILES['ops-readonly'].join(' '), {
      client_name: '"><script>alert(1)</script>',
    });
    const { html, headers } = await browser.open(`${consent.url}?profile=full`);
    expect(html).not.to.match(/<script|javascript:| on\w+=/);
    expect(headers.get('content-security-policy')).to.match(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('x-frame-options')).to.equal('DENY');
    // Another browser does not have the cookie.
    expect((await createBrowser(service.url).open(`${consent.url}?profile=full`)).status).to.equal(404);
  });

  it('H1: the page describes the profiles in the language of the browser', async () => {
    const texts = {
      en: 'Operations, with changes',
      fr: 'Exploitation, avec modifications',
      de: 'Betrieb, mit Änderungen',
      es: 'Operaciones, con cambios',
      'zh-CN': '运营可更改',
      'zh-TW': '營運可變更',
    };
    const { browser, consent } = await requesting('client_admin', undefined);
    for (const [language, text] of Object.entries(texts)) {
      const cookies = browser.withHeaders({ 'accept-language': language });
      expect((await cookies.open(consent.url)).html, language).to.include(text);
    }
  });

  it('H1: the first challenge names the scopes of the headers, also after a revocation', async () => {
    const challenge = async (headers: Record<string, string>, token?: string) => {
      const { status, headers: got } = await rpc(service, 'initialize', {}, { headers, token });
      expect(status).to.equal(401);
      return /scope="([^"]*)"/.exec(got.get('www-authenticate')!)?.[1]?.split(' ');
    };
    for (const token of [undefined, 'revoked']) {
      expect(await challenge({}, token)).to.deep.equal([...PROFILES['ops-readonly']]);
      expect(await challenge({ 'x-mcp-profile': 'ops-write' }, token)).to.have.members([...PROFILES['ops-write']]);
      expect(await challenge({ 'x-mcp-profile': 'full' }, token)).to.have.members([...SCOPES]);
      expect(
        await challenge({ 'x-mcp-profile': 'full', 'x-mcp-scopes': 'orders:read, wms:read,uniorder:read' }, token),
      ).to.deep.equal(['orders:read', 'wms:read']);
    }
    const misspelled = await rpc(service, 'initialize', {}, { headers: { 'x-mcp-profile': 'ops-wirte' } });
    expect([misspelled.status, misspelled.body.error.data.errors[0].code]).to.deep.equal([400, 'NO_SUCH_PROFILE']);
  });

  it('H1: a challenge for more scopes names those of the tool and all granted ones', async () => {
    const first = await requesting('client_admin', 'orders:read wms:read');
    const token = (await first.granted(first.consent))['access_token']!;
    const call = (headers: Record<string, string> = {}, name = 'build_route') =>
      rpc(service, 'tools/call', { name, arguments: {} }, { token, headers });
    const scopesAsked = async (headers: Record<string, string> = {}, name?: string) =>
      /error="insufficient_scope".* scope="([^"]*)"/
        .exec((await call(headers, name)).headers.get('www-authenticate') ?? '')?.[1]
        ?.split(' ');
    expect(await scopesAsked()).to.have.members(['orders:read', 'wms:read', 'routes:read', 'routes:write']);
    // The headers do not hide granted scopes: the new token would lose them.
    expect(await scopesAsked({ 'x-mcp-scopes': 'routes:write' })).to.have.members([
      'orders:read',
      'wms:read',
      'routes:write',
    ]);
    const excluded = await call({ 'x-mcp-profile': 'support' });
    expect([excluded.status, excluded.headers.get('www-authenticate')]).to.deep.equal([403, null]);
  });

  it('H1: a role without the scope of a tool is not asked for it', async () => {
    const { consent, granted } = await requesting('employee', 'approvals:read');
    const token = (await granted(consent))['access_token']!;
    const { status, headers } = await rpc(
      service,
      'tools/call',
      { name: 'approve_pending_write', arguments: {} },
      { token },
    );
    expect([status, headers.get('www-authenticate')]).to.deep.equal([403, null]);
  });

  it('H1: get_capabilities requests a profile only if a new token would help', async () => {
    const first = await requesting('employee', PROFILES['ops-readonly'].join(' '));
    const token = (await first.granted(first.consent))['access_token']!;
    const request = async (request_profile: string, headers: Record<string, string> = {}, key = token) => {
      const params = { name: 'get_capabilities', arguments: { request_profile } };
      const { status, headers: got, body } = await rpc(service, 'tools/call', params, { token: key, headers });
      const scope = /error="insufficient_scope".* scope="([^"]*)"/.exec(got.get('www-authenticate') ?? '')?.[1];
      return { status, scopes: scope?.split(' '), body };
    };
    const asked = await request('ops-write');
    expect(asked.status).to.equal(403);
    const possible = PROFILES['ops-write'].filter((scope) => ROLE_SCOPES.employee.has(scope));
    expect(asked.scopes, 'not approvals:write, which the role lacks').to.have.members(possible);
    for (const [profile, headers] of [
      ['support', {}],
      ['ops-write', { 'x-mcp-profile': 'support' }],
    ] as const) {
      const { status, body } = await request(profile, headers);
      expect([status, body.result.isError ?? false], profile).to.deep.equal([200, false]);
    }
    expect((await request('root')).body.result.structuredContent.error.code).to.equal('INVALID_INPUT');
    // Keys and sessions have no step-up.
    const session = await tokenOf(service, 'client_admin');
    const key = await service.api('/api-keys', { key: session, body: { name: 'reads', profile: 'ops-readonly' } });
    const { status, body } = await request('ops-write', {}, key.json.secret as string);
    expect([status, body.result.structuredContent.more]).to.deep.equal([200, undefined]);
  });
});
