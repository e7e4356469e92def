/** The authorization server: what an agent's client does to connect, step by step over real HTTP. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  authorizeUrl,
  createBrowser,
  follow,
  obtainCode,
  pkce,
  redeem,
  REDIRECT,
  register,
} from '../../support/clients/oauth.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

describe('the authorization server', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  /** The whole way; the answer of the token endpoint. */
  async function connect(
    user: 'client_admin' | 'driver' | 'employee',
    {
      scope = 'orders:read',
      resource = `${service.url}/mcp`,
      agreeTo,
    }: { scope?: string; resource?: string; agreeTo?: readonly string[] } = {},
  ) {
    const { client_id } = await register(service.url);
    const { verifier, challenge } = pkce();
    const back = await obtainCode(
      createBrowser(service.url),
      authorizeUrl({ clientId: client_id, challenge, scope, resource }),
      service.demo.users[user],
      agreeTo,
    );
    expect(back.searchParams.get('state')).to.equal('xyz');
    const code = back.searchParams.get('code')!;
    const answer = await redeem(service.url, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id,
      redirect_uri: REDIRECT,
      resource,
    });
    return { ...answer, client_id, code, verifier, resource };
  }
  const me = (key: string) => service.api('/user/me', { key });

  it('describes itself where clients look', async () => {
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

  it('names its own addresses by BASE_URL, whatever Host the client sends', async () => {
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

  it('gives a client that names no way to authenticate no secret, and one that asks for it does get one', async () => {
    const client = await register(service.url);
    expect(client)
      .to.include({ token_endpoint_auth_method: 'none' })
      .and.not.have.any.keys('client_secret', 'client_secret_expires_at');
    expect(await register(service.url, { token_endpoint_auth_method: 'client_secret_basic' }))
      .to.have.property('client_secret')
      .that.is.a('string');
  });

  it('gives a token for what the user agreed to, good at our interfaces', async () => {
    const { status, json } = await connect('client_admin', { scope: 'orders:read orders:write' });
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json['token_type']).to.equal('Bearer');
    const { json: account } = await me(json['access_token']!);
    expect(account.user.id).to.equal(service.demo.users.client_admin.id);
    expect(account.scopes).to.deep.equal(['orders:read', 'orders:write']);
  });

  it('gives less when the user takes a tick away, and never what the role does not have', async () => {
    const { json } = await connect('client_admin', {
      scope: 'orders:read orders:write audit:read',
      agreeTo: ['orders:read'],
    });
    expect((await me(json['access_token']!)).json.scopes).to.deep.equal(['orders:read']);
    const driver = await connect('driver', { scope: 'orders:read accounts:write' });
    expect((await me(driver.json['access_token']!)).json.scopes).to.deep.equal(['orders:read']);
  });

  it('makes no API keys and changes no password with such a token', async () => {
    const { json } = await connect('client_admin', { scope: 'orders:read accounts:write' });
    expect((await service.api('/api-keys', { key: json['access_token'], body: { name: 'more' } })).status).to.equal(
      403,
    );
  });

  it('insists on PKCE, on a registered redirect address, and on an address of ours', async () => {
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

  it('takes a code once; the second time ends the grant', async () => {
    const { json, client_id, code, verifier, resource } = await connect('employee');
    expect((await me(json['access_token']!)).status).to.equal(200);
    const again = await redeem(service.url, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id,
      redirect_uri: REDIRECT,
      resource,
    });
    expect(again.json['error']).to.equal('invalid_grant');
    expect((await me(json['access_token']!)).status).to.equal(401);
  });

  it('renews with a refresh token that is good once', async () => {
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

  it('lets nobody in who was shut out', async () => {
    const key = await signIns(service)('client_admin');
    const { json } = await connect('driver');
    await service.api(`/users/${service.demo.users.driver.id}/disable`, { key, body: {} });
    expect((await me(json['access_token']!)).status).to.equal(401);
    await service.api(`/users/${service.demo.users.driver.id}/enable`, { key, body: {} });
  });

  it('answers a wrong password like a sign-in does, and sends nobody on', async () => {
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
    // Another browser has not the cookie.
    expect((await createBrowser(service.url).open(login.url)).status).to.equal(404);
    const aborted = await browser.open(`${login.url}/abort`, {});
    expect(new URL((await follow(browser, aborted.location!)).url).searchParams.get('error')).to.equal('access_denied');
  });

  it('shows what clients write as text, and lets no page frame or script it', async () => {
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

  it('fetches no client metadata from addresses that are not public', async () => {
    let asked = 0;
    const inside = createServer((_request, response) => {
      asked += 1;
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
    expect(asked).to.equal(0);
    inside.close();
  });

  it('keeps no token that could be read in its database', async () => {
    const { json } = await connect('employee');
    const { rows } = await service.service.engines.pool.query<{ row: string }>(
      `select encode(id, 'escape') || encode(payload, 'escape') as row from access.oauth`,
    );
    expect(rows).not.to.be.empty;
    for (const { row } of rows)
      for (const name of ['access_token', 'refresh_token']) expect(row).not.to.include(json[name]);
  });
});
