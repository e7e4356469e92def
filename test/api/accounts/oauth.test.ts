/** The authorization server: the steps by which an agent's client connects, over real HTTP. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  authorizeUrl,
  connectAgent,
  createBrowser,
  follow,
  obtainCode,
  pkce,
  redeem,
  REDIRECT,
  register,
  type Connecting,
} from '../../support/clients/oauth.js';
import { translate } from '../../../src/api/core/messages/index.js';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { rpc } from '../../support/clients/mcp.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('authorization server', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const connect = (user: 'client_admin' | 'driver' | 'employee', { scope = 'orders:read', ...rest }: Connecting = {}) =>
    connectAgent(service.url, service.demo.users[user], { scope, ...rest });
  const me = (key: string) => service.api('/me', { key });

  it('publishes its metadata at the standard addresses', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      const metadata = (await (await fetch(`${service.url}/.well-known/${path}`)).json()) as Record<string, unknown>;
      expect(metadata).to.include({
        issuer: service.url,
        authorization_endpoint: `${service.url}/oauth/authorize`,
        token_endpoint: `${service.url}/oauth/token`,
        registration_endpoint: `${service.url}/oauth/register`,
        client_id_metadata_document_supported: true,
      });
      expect(metadata['code_challenge_methods_supported']).to.deep.equal(['S256']);
      expect(metadata['scopes_supported']).to.include('orders:read');
    }
  });

  it('uses BASE_URL for its addresses, whatever Host the client sends', async () => {
    const sent = (path: string, method: string, body?: object) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        request(
          `${service.url}${path}`,
          { method, headers: { host: 'evil.example', 'content-type': 'application/json' } },
          (response) => void json(response).then((value) => resolve(value as Record<string, unknown>), reject),
        )
          .on('error', reject)
          .end(body && JSON.stringify(body));
      });
    const { registration_endpoint, jwks_uri } = await sent('/.well-known/oauth-authorization-server', 'GET');
    expect({ registration_endpoint, jwks_uri }).to.deep.equal({
      registration_endpoint: `${service.url}/oauth/register`,
      jwks_uri: `${service.url}/oauth/jwks`,
    });
    const client = await sent('/oauth/register', 'POST', { redirect_uris: [REDIRECT], application_type: 'native' });
    expect(client['registration_client_uri']).to.equal(`${service.url}/oauth/register/${String(client['client_id'])}`);
  });

  it('issues a client secret only to a client that requests client authentication', async () => {
    const client = await register(service.url);
    expect(client)
      .to.include({ token_endpoint_auth_method: 'none' })
      .and.not.have.any.keys('client_secret', 'client_secret_expires_at');
    expect(await register(service.url, { token_endpoint_auth_method: 'client_secret_basic' }))
      .to.have.property('client_secret')
      .that.is.a('string');
  });

  it('issues a token for the scopes that the user approved, valid at all interfaces', async () => {
    const { status, json } = await connect('client_admin', { scope: 'orders:read orders:write' });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json['token_type']).to.equal('Bearer');
    const { json: account } = await me(json['access_token']!);
    expect(account.user.id).to.equal(service.demo.users.client_admin.id);
    expect(account.user.scopes).to.deep.equal(['orders:read', 'orders:write']);
  });

  it('issues fewer scopes if the user clears a checkbox, and never more than the role has', async () => {
    const { json } = await connect('client_admin', {
      scope: 'orders:read orders:write audit:read',
      agreeTo: ['orders:read'],
    });
    expect((await me(json['access_token']!)).json.user.scopes).to.deep.equal(['orders:read']);
    const driver = await connect('driver', { scope: 'orders:read accounts:write' });
    expect((await me(driver.json['access_token']!)).json.user.scopes).to.deep.equal(['orders:read']);
  });

  it('rejects API key creation and password changes with such a token', async () => {
    const { json } = await connect('client_admin', { scope: 'orders:read accounts:write' });
    expect((await service.api('/api-keys', { key: json['access_token'], body: { name: 'more' } })).status).to.equal(
      403,
    );
  });

  it('returns the reason for a rejected registration', async () => {
    for (const [metadata, error, reason] of [
      [{ redirect_uris: ['http://evil.example/cb'] }, 'invalid_redirect_uri', /must be https URLs, loopback URLs/],
      [{ redirect_uris: ['nope'] }, 'invalid_redirect_uri', /must be URLs/],
      [{ a: 1 }, 'invalid_redirect_uri', /redirect_uris must contain 1 to 10/],
      [
        { redirect_uris: [REDIRECT], client_name: 'x'.repeat(201) },
        'invalid_client_metadata',
        /client_name is too long/,
      ],
    ] as const) {
      const response = await fetch(`${service.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      });
      const refused = (await response.json()) as { error: string; error_description: string };
      expect([response.status, refused.error]).to.deep.equal([400, error]);
      expect(refused.error_description).to.match(reason);
    }
  });

  it('requires PKCE, a registered redirect address, and a resource of the service', async () => {
    const { client_id } = await register(service.url);
    const { challenge } = pkce();
    const without = await follow(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, scope: 'orders:read' }),
    );
    expect(new URL(without.url).searchParams.get('error')).to.equal('invalid_request');
    const elsewhere = await createBrowser(service.url).open(
      authorizeUrl({ clientId: client_id, challenge, scope: 'orders:read' }).replace(
        encodeURIComponent(REDIRECT),
        encodeURIComponent('https://evil.example/'),
      ),
    );
    expect(elsewhere.status).to.equal(400);
    expect(elsewhere.location).to.equal(null);
    const foreign = await follow(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, challenge, scope: 'orders:read', resource: 'https://other.example/mcp' }),
    );
    expect(new URL(foreign.url).searchParams.get('error')).to.equal('invalid_target');
  });

  it('accepts a code once; the second use ends the grant', async () => {
    const { json, redemption } = await connect('employee');
    expect((await me(json['access_token']!)).status).to.equal(200);
    const again = await redeem(service.url, redemption);
    expect(again.json['error']).to.equal('invalid_grant');
    expect((await me(json['access_token']!)).status).to.equal(401);
  });

  it('issues single-use refresh tokens', async () => {
    const { json, client_id } = await connect('employee');
    const renewed = await redeem(service.url, {
      grant_type: 'refresh_token',
      refresh_token: json['refresh_token']!,
      client_id,
    });
    expect(renewed.status).to.equal(200);
    expect((await me(renewed.json['access_token']!)).status).to.equal(200);
    const stolen = await redeem(service.url, {
      grant_type: 'refresh_token',
      refresh_token: json['refresh_token']!,
      client_id,
    });
    expect(stolen.json['error']).to.equal('invalid_grant');
    expect((await me(renewed.json['access_token']!)).status).to.equal(401);
  });

  it('rejects disabled users', async () => {
    const key = await signIns(service)('client_admin');
    const { json } = await connect('driver');
    await service.api(`/users/${service.demo.users.driver.id}/disable`, { key, body: {} });
    expect((await me(json['access_token']!)).status).to.equal(401);
    await service.api(`/users/${service.demo.users.driver.id}/enable`, { key, body: {} });
  });

  it('handles a wrong password like a sign-in, and does not redirect', async () => {
    const { client_id } = await register(service.url);
    const browser = createBrowser(service.url);
    const login = await follow(
      browser,
      authorizeUrl({ clientId: client_id, challenge: pkce().challenge, scope: 'orders:read' }),
    );
    const refused = await browser.open(`${login.url}/login`, {
      email: 'nobody@example.com',
      password: 'wrong password',
    });
    expect(refused.status).to.equal(401);
    expect(refused.html).to.include('E-mail address or password is wrong.');
    // Another browser does not have the cookie.
    expect((await createBrowser(service.url).open(login.url)).status).to.equal(404);
    const aborted = await browser.open(`${login.url}/abort`, {});
    expect(new URL((await follow(browser, aborted.location!)).url).searchParams.get('error')).to.equal('access_denied');
  });

  it('shows client texts as plain text, and forbids framing and scripts', async () => {
    const { client_id } = await register(service.url, { client_name: '<script>alert(1)</script>' });
    const { html, headers } = await follow(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, challenge: pkce().challenge, scope: 'orders:read' }),
    );
    expect(html).not.to.include('<script');
    expect(html).to.include('&#60;script&#62;');
    expect(headers.get('content-security-policy'))
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'none'");
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('fetches no client metadata from private addresses', async () => {
    let requestCount = 0;
    const inside = createServer((_request, response) => {
      requestCount += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    for (const clientId of [
      `https://127.0.0.1:${port}/client.json`,
      `https://localhost:${port}/client.json`,
      `https://[::ffff:127.0.0.1]:${port}/client.json`,
      `http://127.0.0.1:${port}/client.json`,
    ]) {
      const answer = await createBrowser(service.url).open(
        authorizeUrl({ clientId, challenge: pkce().challenge, scope: 'orders:read' }),
      );
      expect([answer.status, answer.location]).to.deep.equal([400, null]);
    }
    expect(requestCount).to.equal(0);
    inside.close();
  });

  it('stores no readable token in its database', async () => {
    const { json } = await connect('employee');
    const { rows } = await service.service.engines.pool.query<{ row: string }>(
      `select encode(id, 'escape') || encode(payload, 'escape') as row from access.oauth`,
    );
    expect(rows).not.to.be.empty;
    for (const { row } of rows)
      for (const name of ['access_token', 'refresh_token']) expect(row).not.to.include(json[name]);
  });

  it('accepts a code and a refresh token once, also for four concurrent requests', async () => {
    const { client_id } = await register(service.url);
    const { verifier, challenge } = pkce();
    const url = authorizeUrl({ clientId: client_id, challenge, scope: 'orders:read', resource: service.url });
    const back = await obtainCode(createBrowser(service.url), url, service.demo.users.employee);
    const four = (parameters: Record<string, string>) =>
      Promise.all(Array.from({ length: 4 }, () => redeem(service.url, { client_id, ...parameters })));
    const redeemed = await four({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      resource: service.url,
    });
    expect(redeemed.filter(({ status }) => status === 200).length).to.be.at.most(1);
    for (const { json } of redeemed)
      if (json['access_token']) expect((await me(json['access_token'])).status).to.equal(401);
    const { json, client_id: other } = await connect('employee');
    const renewed = await four({
      grant_type: 'refresh_token',
      refresh_token: json['refresh_token']!,
      client_id: other,
    });
    expect(renewed.filter(({ status }) => status === 200).length).to.be.at.most(1);
    // One of the two callers stole the token, so the whole grant ends.
    for (const token of [json, ...renewed.map((one) => one.json)])
      if (token['access_token']) expect((await me(token['access_token'])).status).to.equal(401);
  });

  it('accepts a token only at the address for which it was requested', async () => {
    const at = async (token: string, path: string) => (await rpc(service, 'tools/list', {}, { token, path })).status;
    const { json } = await connect('client_admin', { resource: `${service.url}/api/mcp/developer` });
    const token = json['access_token']!;
    expect(await at(token, '/api/mcp/developer')).to.equal(200);
    for (const path of ['/mcp', '/mcp/developer', '/api/mcp']) expect(await at(token, path), path).to.equal(401);
    expect((await me(token)).status).to.equal(401);
    const graphql = await fetch(`${service.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"query":"{ me { result } }"}',
    });
    expect(graphql.status).to.equal(401);
  });

  it('requests the scopes of the default profile if the client names no scope, and rejects unknown scopes', async () => {
    const { json } = await connect('client_admin', { scope: '' });
    expect((await me(json['access_token']!)).json.user.scopes).to.deep.equal([...PROFILES['ops-readonly']].sort());
    const { client_id } = await register(service.url);
    const { challenge } = pkce();
    const unknown = await follow(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, challenge, scope: 'orders:read everything:write' }),
    );
    expect(new URL(unknown.url).searchParams.get('error')).to.equal('invalid_scope');
  });

  it('preselects no dangerous scope, and treats an empty selection as a denial', async () => {
    const { client_id } = await register(service.url);
    const browser = createBrowser(service.url);
    const url = authorizeUrl({
      clientId: client_id,
      challenge: pkce().challenge,
      scope: 'orders:read privacy:write approvals:write keys:write',
    });
    const login = await follow(browser, url);
    const { email, password } = service.demo.users.client_admin;
    const consent = await follow(browser, (await browser.open(`${login.url}/login`, { email, password })).location!);
    const ticked = [...consent.html.matchAll(/value="([^"]+)" checked/g)].map(([, scope]) => scope);
    expect(ticked).to.deep.equal(['orders:read']);
    const none = await browser.open(`${consent.url}/consent`, {});
    expect(new URL((await follow(browser, none.location!)).url).searchParams.get('error')).to.equal('access_denied');
  });

  it('asks again in a signed-in browser for all requested scopes, also for those denied before', async () => {
    const browser = createBrowser(service.url);
    const { client_id } = await connect('employee', {
      browser,
      scope: 'orders:read routes:read',
      agreeTo: ['orders:read'],
    });
    for (const scope of ['orders:read', 'orders:read routes:read']) {
      const { verifier, challenge } = pkce();
      const url = authorizeUrl({ clientId: client_id, challenge, scope, resource: service.url });
      const consent = await follow(browser, url);
      const offered = [...consent.html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, offer]) => offer!);
      expect(offered.join(' ')).to.equal(scope);
      const agreed = await browser.open(`${consent.url}/consent`, { scope: offered });
      const code = new URL((await follow(browser, agreed.location!)).url).searchParams.get('code')!;
      const { json } = await redeem(service.url, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        client_id,
        redirect_uri: REDIRECT,
        resource: service.url,
      });
      expect((await me(json['access_token']!)).json.user.scopes.join(' ')).to.equal(scope);
    }
  });

  it('also asks each time for a web client', async () => {
    const { client_id } = await register(service.url, {
      redirect_uris: ['https://app.example/cb'],
      application_type: 'web',
    });
    const browser = createBrowser(service.url);
    const url = authorizeUrl({ clientId: client_id, challenge: pkce().challenge, scope: 'orders:read' }).replace(
      encodeURIComponent(REDIRECT),
      encodeURIComponent('https://app.example/cb'),
    );
    const login = await follow(browser, url);
    const { email, password } = service.demo.users.employee;
    const consent = await follow(browser, (await browser.open(`${login.url}/login`, { email, password })).location!);
    const agreed = await browser.open(`${consent.url}/consent`, { scope: 'orders:read' });
    const back = await browser.open(agreed.location!);
    expect(new URL(back.location!).searchParams.get('code')).to.be.a('string');
    expect((await follow(browser, url)).html).to.include('Grant access');
  });

  it("uses one language per page, the browser's", async () => {
    const { client_id } = await register(service.url);
    const browser = createBrowser(service.url, { 'accept-language': 'de' });
    const login = await follow(browser, authorizeUrl({ clientId: client_id, challenge: pkce().challenge }));
    const wrong = await browser.open(`${login.url}/login`, { email: 'nobody@example.com', password: 'wrong' });
    const message = translate('WRONG_CREDENTIALS', {}, 'de');
    expect(wrong.html).to.include('<html lang="de">').and.include(message).and.include('Passwort</label>');
    for (const { html } of [login, wrong])
      expect(html).to.include(`Open Transport unter <code>${new URL(service.url).host}</code>`);
  });

  it('shows names without text direction marks', async () => {
    const { client_id } = await register(service.url, { client_name: 'Claude\u202e\u200b' });
    const { html } = await follow(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, challenge: pkce().challenge, scope: 'orders:read' }),
    );
    expect(html).to.include('<bdi>Claude</bdi>').and.include('<bdi>127.0.0.1:51234</bdi>');
  });

  it('accepts only safe redirect addresses, and limits client texts', async () => {
    const status = async (metadata: object) =>
      (
        await fetch(`${service.url}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(metadata),
        })
      ).status;
    const good = ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:3334/cb', 'https://app.example/cb'];
    for (const uri of good) expect(await status({ redirect_uris: [uri] }), uri).to.equal(201);
    const bad = ['http://evil.example/cb', 'javascript:alert(1)', 'no address', { a: 1 }];
    for (const uri of bad) expect(await status({ redirect_uris: [uri] }), JSON.stringify(uri)).to.equal(400);
    expect(
      await status({ redirect_uris: [{ a: 1 }], subject_type: 'pairwise', token_endpoint_auth_method: 'none' }),
    ).to.equal(400);
    expect(await status({ redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) })).to.equal(
      400,
    );
    expect(await status({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(201) })).to.equal(400);
  });

  it('M15: limits registrations per network in ten minutes, for every notation of the address', async () => {
    const busy = await startTestService({ env: { TRUST_PROXY: '1' } });
    const send = async (from: string, path = '/oauth/register') => {
      const answer = await fetch(busy.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ redirect_uris: [REDIRECT] }),
      });
      return answer.status;
    };
    try {
      const statuses = await Promise.all(
        Array.from({ length: 80 }, (_, n) =>
          send(`2001:db8:1:2::${n}`, ['/oauth/register', '/oauth/register/', '/oauth/REGISTER'][n % 3]),
        ),
      );
      expect(statuses.filter((status) => status === 201)).to.have.length(60);
      expect(statuses.filter((status) => status === 429)).to.have.length(20);
      expect(await send('2001:db8:1:3::1'), 'another subscriber').to.equal(201);
      const { rows } = await busy.service.engines.pool.query<{ n: number }>(
        "select count(*)::int as n from access.oauth where model = 'Client'",
      );
      expect(rows[0]!.n).to.equal(61);
    } finally {
      await busy.stop();
    }
  });

  it('deletes an unapproved client after a day, and keeps one in use', async () => {
    const { client_id: idle } = await register(service.url);
    const { client_id: used } = await connect('employee');
    const { pool } = service.service.engines;
    const days = async (id: string) =>
      (
        await pool.query<{ days: number }>(
          `select round(extract(epoch from expires_at - now()) / 86400)::int as days from access.oauth where model = 'Client' and id = sha256(convert_to($1, 'UTF8'))`,
          [id],
        )
      ).rows[0]!.days;
    expect(await days(idle)).to.equal(1);
    expect(await days(used)).to.equal(180);
  });

  describe('end of access', () => {
    /** A separate account for the test, connected, with a signed-in browser. */
    async function connected() {
      const admin = await signIns(service)('client_admin');
      const person = { email: `end-${randomUUID()}@example.com`, password: 'long enough password' };
      const { json } = await service.api('/users', { key: admin, body: { ...person, name: 'Ends', role: 'employee' } });
      const browser = createBrowser(service.url);
      const agent = await connectAgent(service.url, person, { scope: 'orders:read', browser });
      const session = await service.api('/user/login', { body: person });
      const key = await service.api('/api-keys', { key: session.json.access_token, body: { name: 'program' } });
      expect(key.status, key.text).to.equal(201);
      return {
        admin,
        person,
        browser,
        agent,
        id: json.user.id as number,
        session: session.json.access_token as string,
        apiKey: key.json.secret as string,
      };
    }
    type Connected = Awaited<ReturnType<typeof connected>>;

    async function expectEnded({ agent, browser }: Connected): Promise<void> {
      expect((await me(agent.json['access_token']!)).status, 'access token').to.equal(401);
      const refresh = { grant_type: 'refresh_token', refresh_token: agent.json['refresh_token']! };
      const renewed = await redeem(service.url, { ...refresh, client_id: agent.client_id });
      expect(renewed.json['error'], 'refresh token').to.equal('invalid_grant');
      const url = authorizeUrl({
        clientId: agent.client_id,
        challenge: pkce().challenge,
        scope: 'orders:read',
        resource: service.url,
      });
      expect((await follow(browser, url)).html, "browser's session").to.include('Sign in');
    }

    it('a new password by the admin ends everything, including API keys', async () => {
      const all = await connected();
      const reset = await service.api(`/users/${all.id}/password`, {
        key: all.admin,
        body: { new_password: 'another long password' },
      });
      expect(reset.status, reset.text).to.equal(200);
      await expectEnded(all);
      expect((await me(all.apiKey)).status).to.equal(401);
      expect((await me(all.session)).status).to.equal(401);
      const again = await service.api('/user/login', { body: { ...all.person, password: 'another long password' } });
      const keys = await service.api('/api-keys', { key: again.json.access_token });
      expect(keys.json.api_keys).to.deep.equal([]);
    });

    for (const end_api_keys of [false, true])
      it(`a user's new password ends all but this session, API keys ${end_api_keys ? 'too' : 'not'}`, async () => {
        const all = await connected();
        const change = await service.api('/me/password', {
          method: 'PUT',
          key: all.session,
          body: { current_password: all.person.password, new_password: 'another long password', end_api_keys },
        });
        expect(change.status, change.text).to.equal(200);
        await expectEnded(all);
        expect((await me(all.session)).status).to.equal(200);
        expect((await me(all.apiKey)).status).to.equal(end_api_keys ? 401 : 200);
      });

    it('disabling ends everything, also after the account is enabled again', async () => {
      const all = await connected();
      for (const verb of ['disable', 'enable'])
        expect((await service.api(`/users/${all.id}/${verb}`, { key: all.admin, body: {} })).status).to.equal(200);
      await expectEnded(all);
      expect((await me(all.apiKey)).status).to.equal(401);
    });

    it('users can list and revoke their grants', async () => {
      const all = await connected();
      const list = await service.api('/oauth/grants', { key: all.session });
      expect(list.json.oauth_grants).to.have.length(1);
      expect(list.json.oauth_grants[0]).to.include({ client_id: all.agent.client_id, client_name: 'Test agent' });
      expect(list.json.oauth_grants[0].scopes).to.deep.equal(['orders:read']);
      const { id } = list.json.oauth_grants[0];
      const end = (key: string) => service.api(`/oauth/grants/${id}`, { key, method: 'DELETE' });
      expect((await end(all.admin)).status, 'of another').to.equal(404);
      expect((await end(all.agent.json['access_token']!)).status, 'by the agent').to.equal(403);
      expect((await end(all.session)).status).to.equal(200);
      expect((await me(all.agent.json['access_token']!)).status).to.equal(401);
      expect((await end(all.session)).status).to.equal(404);
    });

    it('a user can sign out of the browser', async () => {
      const { browser, agent } = await connected();
      const logoutPage = await browser.open('/oauth/logout');
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(logoutPage.html)![1]!;
      const action = /action="([^"]+)"/.exec(logoutPage.html)![1]!;
      await browser.open(action, { xsrf, logout: 'yes' });
      const url = authorizeUrl({ clientId: agent.client_id, challenge: pkce().challenge, scope: 'orders:read' });
      expect((await follow(browser, url)).html).to.include('Sign in');
      expect((await me(agent.json['access_token']!)).status, 'what it let in stays').to.equal(200);
    });
  });
});
