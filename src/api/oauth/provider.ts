/**
 * The authorization server (RFC 6749, 7591, 8414, 8707, PKCE): agents' clients connect on their own, a person signs in
 * and agrees to scopes. The library does the protocol; what it keeps is in Postgres, so that any process can continue
 * what another began.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Adapter, AdapterFactory, ClientMetadata, Configuration, JWK, Provider } from 'oidc-provider';
import type { OAuthStore } from '../../engines/postgres/oauth-store.js';
import { DEFAULT_PROFILE, PROFILES, SCOPES } from '../core/scopes.js';
import { pathsOf, SERVERS, type ServerName } from '../mcp/protocol.js';
import { escapeHtml, logoutPage, page, PAGE_POLICY } from './page.js';
import { checkRegistration } from './registration.js';
import { urlOf } from '../../events/core/url.js';

export interface AuthorizationServerOptions {
  readonly issuer: string;
  readonly store: (model: string) => OAuthStore;
  /** Keys of the same use are the same in every process: they follow from MASTER_KEY. */
  readonly secretFor: (purpose: 'oauth signing key' | 'oauth cookies') => Buffer;
  /** Whether the account may still sign in. */
  readonly accountExists: (userId: number) => Promise<boolean>;
  /** Fetches a client's metadata document: an address that a stranger gives. Must refuse what is not public. */
  readonly fetch: typeof globalThis.fetch;
  /** A reverse proxy in front sets the scheme. */
  readonly trustProxy: boolean;
}

/** What a token can be asked for: all of the service, an address where agents connect, or what is below `/api`. */
const RESOURCE_PATHS = ['', '/api', ...(Object.keys(SERVERS) as ServerName[]).flatMap(pathsOf)];

/**
 * Whether a token for `audience` is good at `path` (RFC 8707; MCP: a server must take only tokens that were made for
 * it). Of all of the service: everywhere. Of `/api`: at what is below it. Of an address of agents: there alone.
 */
export function isGoodAt(audience: readonly string[], issuer: string, path: string): boolean {
  const at = path.replace(/\/$/, '');
  return audience
    .map((resource) => resource.replace(/\/$/, ''))
    .some(
      (resource) =>
        resource === issuer || resource === issuer + at || (resource === `${issuer}/api` && at.startsWith('/api/')),
    );
}

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  end_session: '/oauth/logout',
  userinfo: '/oauth/userinfo',
  introspection: '/oauth/introspect',
} as const;

/** Path under which the interaction pages are, and their forms lead. */
export const INTERACTION_PATH = '/oauth/interaction';

/** An agent's client runs at its user's: it can keep no secret. */
const CLIENT_DEFAULTS: Partial<ClientMetadata> = {
  id_token_signed_response_alg: 'EdDSA',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Loaded when the first client comes: an installation without agents never needs it. */
async function loadLibrary() {
  // The library asks for a static that early releases of Node 20 do not have.
  if (typeof URL.parse !== 'function') Object.assign(URL, { parse: (text: string) => urlOf(text) ?? null });
  return import('oidc-provider');
}

export async function createAuthorizationServer({
  issuer,
  store,
  secretFor,
  accountExists,
  fetch,
  trustProxy,
}: AuthorizationServerOptions): Promise<Provider> {
  const { errors, Provider } = await loadLibrary();
  const resources = new Set(RESOURCE_PATHS.map((path) => issuer + path));
  const known = new Set<string>(['openid', 'offline_access', ...SCOPES]);
  const storeThatConsumesOnce: AdapterFactory = (model) => {
    const kept = store(model);
    const consume = async (id: string): Promise<void> => {
      if (!(await kept.consume(id))) throw new errors.InvalidGrant('already used');
    };
    return { ...kept, consume } as Adapter;
  };
  const configuration: Configuration = {
    adapter: storeThatConsumesOnce,
    fetch,
    clients: [],
    jwks: { keys: [signingKey(secretFor('oauth signing key'))] },
    cookies: { keys: [secretFor('oauth cookies').toString('base64url')] },
    routes: ROUTES,
    // Named here so that clients may register with them; what a token may do is what the resource's own scopes say.
    scopes: [...known],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'], requestObjectSigningAlgValues: [] },
    clientDefaults: CLIENT_DEFAULTS,
    pkce: { required: () => true },
    // A person is asked each time, about all that is asked for: what was agreed to before is another grant.
    loadExistingGrant: async ({ oidc }) => {
      const agreed = oidc.result?.consent?.grantId;
      return agreed === undefined ? undefined : oidc.provider.Grant.find(agreed);
    },
    interactions: { url: (_context, interaction) => `${INTERACTION_PATH}/${interaction.uid}` },
    discovery: { service_documentation: `${issuer}/api/docs` },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      Grant: 90 * DAY,
      IdToken: HOUR,
      Interaction: 10 * 60,
      RefreshToken: 30 * DAY,
      Session: 12 * HOUR,
    },
    // A client without a secret gets a new refresh token each time; the old one used again ends the grant.
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    // A grant outlives the browser's sign-out: it has an end of its own, and a place to end it.
    expiresWithSession: () => Promise.resolve(false),
    clientBasedCORS: () => true,
    findAccount: async (_context, id) =>
      (await accountExists(Number(id))) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    renderError: (context, out) => {
      context.type = 'html';
      context.set('Content-Security-Policy', PAGE_POLICY);
      context.body = page(
        'Sign-in failed',
        `<p>${escapeHtml(out.error_description ?? out.error)}</p><p>Go back to your application and try again.</p>`,
      );
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true, initialAccessToken: false },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      revocation: { enabled: true },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.set('Content-Security-Policy', PAGE_POLICY);
          context.body = logoutPage(form);
        },
        postLogoutSuccessSource: (context) => {
          context.set('Content-Security-Policy', PAGE_POLICY);
          context.body = page('Signed out', '<p>This browser is signed out. Applications that you let in stay so.</p>');
        },
      },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer,
        useGrantedResource: () => true,
        getResourceServerInfo: (context, resource) => {
          if (!resources.has(resource.replace(/\/$/, ''))) throw new errors.InvalidTarget();
          if (context.oidc.route === 'authorization') nameScopes(context.oidc.params as { scope?: string });
          return { scope: SCOPES.join(' '), audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: HOUR };
        },
      },
    },
  };
  /** RFC 6749, 3.3: who names no scope gets the default, and hears of one that nobody knows. */
  function nameScopes(params: { scope?: string }): void {
    const named = (params.scope ?? '').split(' ').filter((scope) => scope !== '');
    const unknown = named.filter((scope) => !known.has(scope));
    if (unknown.length > 0) throw new errors.InvalidScope('requested scope is not offered', unknown.join(' '));
    const ours = named.some((scope) => (SCOPES as readonly string[]).includes(scope));
    if (!ours) params.scope = [...named, ...PROFILES[DEFAULT_PROFILE]].join(' ');
  }

  const provider = new Provider(issuer, configuration);
  provider.proxy = trustProxy;
  // By themselves they follow the Host header, which is whatever the client says.
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  // Asked before the defaults are filled in: who names no method would be given a secret and never use it. It is also
  // the one place that sees a registration as it was sent.
  const clients = provider.Client as unknown as { needsSecret(metadata: Record<string, unknown>): boolean };
  const needsSecret = clients.needsSecret.bind(clients);
  clients.needsSecret = (metadata) => {
    checkRegistration(metadata, (code, description) => {
      if (code === 'invalid_client_metadata') return new errors.InvalidClientMetadata(description);
      // It has one sentence of its own, about another case, and takes no other.
      return Object.assign(new errors.InvalidRedirectUri(), { error_description: description });
    });
    return needsSecret({ ...CLIENT_DEFAULTS, ...metadata });
  };
  return provider;
}

/** An Ed25519 key from 32 bytes (RFC 8410). */
function signingKey(seed: Buffer): JWK {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...(key.export({ format: 'jwk' }) as JWK), alg: 'EdDSA', use: 'sig' };
}
