/**
 * D1: the official client connects without help through the whole OAuth flow, with every protocol version and address.
 */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { ADDRESSES, PROTOCOL_VERSIONS, rpc } from '../../support/clients/mcp.js';
import { createBrowser, obtainCode, REDIRECT } from '../../support/clients/oauth.js';
import { PROFILES } from '../../../src/api/core/scopes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe("an agent's client without a token", () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  /** The OAuth provider that the SDK requires of an application. A browser is driven to the redirect address. */
  function application(): OAuthClientProvider & { authorization: URL | undefined } {
    let client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
    let tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
    let discovery: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined;
    let verifier = '';
    return {
      authorization: undefined,
      redirectUrl: REDIRECT,
      clientMetadata: {
        client_name: 'Official client',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      } as OAuthClientProvider['clientMetadata'],
      clientInformation: () => client,
      saveClientInformation: (information) => void (client = information),
      tokens: () => tokens,
      saveTokens: (saved) => void (tokens = saved),
      redirectToAuthorization(url) {
        this.authorization = url;
      },
      saveCodeVerifier: (saved) => void (verifier = saved),
      codeVerifier: () => verifier,
      saveDiscoveryState: (state) => void (discovery = state),
      discoveryState: () => discovery,
    };
  }

  for (const path of ADDRESSES) {
    for (const version of PROTOCOL_VERSIONS) {
      it(`gets one at ${path}, with protocol ${version}`, async () => {
        const app = application();
        const transportOf = () => new StreamableHTTPClientTransport(new URL(service.url + path), { authProvider: app });
        const open = async () => {
          const client = new Client(
            { name: 'test', version: '1' },
            version === '2026-07-28'
              ? { versionNegotiation: { mode: { pin: version } } }
              : { supportedProtocolVersions: [version] },
          );
          await client.connect(transportOf());
          return client;
        };
        // The address alone is enough: the first message returns 401 and the location of the authorization server.
        const first = await open().then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(first, String(first)).to.be.instanceOf(UnauthorizedError);
        const authorization = app.authorization!;
        expect(authorization.searchParams.get('code_challenge_method')).to.equal('S256');
        expect(authorization.searchParams.get('scope')?.split(' ')).to.include.members([...PROFILES['ops-readonly']]);
        expect(authorization.searchParams.get('resource')).to.equal(service.url + path);
        const back = await obtainCode(createBrowser(service.url), authorization.href, service.demo.users.client_admin);
        await transportOf().finishAuth(back.searchParams);
        const client = await open();
        const { tools } = await client.listTools();
        // An anonymous connection has only three tools.
        expect(tools.length).to.be.above(3);
        await client.close();
      });
    }
  }

  it('needs none at /mcp/public, and for bare calls of public tools', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp/public`)));
    expect((await client.listTools()).tools).to.have.length(3);
    await client.close();
    expect((await rpc(service, 'tools/list')).status).to.equal(200);
    expect((await rpc(service, 'tools/call', { name: 'get_capabilities', arguments: {} })).status).to.equal(200);
    for (const method of ['initialize', 'server/discover']) {
      const { status, headers } = await rpc(service, method);
      expect(status, method).to.equal(401);
      expect(headers.get('www-authenticate')).to.include(`scope="${PROFILES['ops-readonly'].join(' ')}"`);
    }
  });
});
