/**
 * The authorization server (RFC 6749, 7591, 8414, 8707, PKCE). Clients of agents register without staff; a user signs
 * in and consents to scopes. The library implements the protocol. Its state is in Postgres, so that any process can
 * continue an authorization of another process.
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type {
  Adapter,
  AdapterFactory,
  ClientMetadata,
  Configuration,
  JWK,
  KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { OAuthStore } from '../../engines/postgres/oauth-store.js';
import { chooseLanguage } from '../core/messages/index.js';
import { DEFAULT_PROFILE, PROFILES, SCOPES } from '../core/scopes.js';
import { storeGrantMembers, tokenMembers, type Grant } from './grant-members.js';
import { pathsOf, SERVERS, type ServerName } from '../mcp/protocol.js';
import { failedPage, logoutPage, PAGE_POLICY, signedOutPage } from './page.js';
import { pageTexts } from './page-texts.js';
import { checkRegistration } from './registration.js';
import { urlOf } from '../../events/core/url.js';

export interface AuthorizationServerOptions {
  readonly issuer: string;
  readonly store: (model: string) => OAuthStore;
  /** The key of a purpose is the same in every process, because it is derived from MASTER_KEY. */
  readonly secretFor: (purpose: 'oauth signing key' | 'oauth cookies') => Buffer;
  /** Whether the account can still sign in. */
  readonly accountExists: (userId: number) => Promise<boolean>;
  /**
   * Fetches a client's metadata document from an address that an unknown client supplies. It must reject addresses that
   * are not public.
   */
  readonly fetch: typeof globalThis.fetch;
  /** A reverse proxy in front sets the scheme. */
  readonly trustProxy: boolean;
  /** Revokes the grants that a new one replaces. */
  readonly replaceEarlier: (grant: Grant) => Promise<void>;
}

/** Resources that a token can be issued for: the whole service, an MCP address, or everything below `/api`. */
const RESOURCE_PATHS = ['', '/api', ...(Object.keys(SERVERS) as ServerName[]).flatMap(pathsOf)];

/**
 * Whether a token for `audience` is valid at `path` (RFC 8707; MCP: a server must accept only tokens that were issued
 * for it). A token for the whole service is valid everywhere, a token for `/api` below that path, and a token for an
 * MCP address only there.
 */
export function isValidAudience(audience: readonly string[], issuer: string, path: string): boolean {
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

/** Path of the interaction pages and of their forms. */
export const INTERACTION_PATH = '/oauth/interaction';

/** An agent's client runs on its user's machine, so it cannot keep a secret. */
const CLIENT_DEFAULTS: Partial<ClientMetadata> = {
  id_token_signed_response_alg: 'EdDSA',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

const textsFor = (context: { get(header: string): string }) =>
  pageTexts(chooseLanguage(context.get('accept-language') || undefined));

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Loaded for the first client: an installation without agents never needs it. */
async function loadLibrary() {
  // The library uses `URL.parse`, which early releases of Node 20 lack.
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
  replaceEarlier,
}: AuthorizationServerOptions): Promise<Provider> {
  const { errors, Provider } = await loadLibrary();
  const resources = new Set(RESOURCE_PATHS.map((path) => issuer + path));
  const known = new Set<string>(['openid', 'offline_access', ...SCOPES]);
  const storeThatConsumesOnce: AdapterFactory = (model) => {
    const adapter = store(model);
    const consume = async (id: string): Promise<void> => {
      if (!(await adapter.consume(id))) throw new errors.InvalidGrant('already used');
    };
    return { ...adapter, consume } as Adapter;
  };
  const configuration: Configuration = {
    adapter: storeThatConsumesOnce,
    fetch,
    clients: [],
    jwks: { keys: [signingKey(secretFor('oauth signing key'))] },
    cookies: { keys: [secretFor('oauth cookies').toString('base64url')] },
    routes: ROUTES,
    // Listed so that clients can register with them. The scopes of the resource determine what a token permits.
    scopes: [...known],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'], requestObjectSigningAlgValues: [] },
    clientDefaults: CLIENT_DEFAULTS,
    pkce: { required: () => true },
    // The user is asked each time, about all requested scopes: an earlier consent belongs to another grant.
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
    // A client without a secret gets a new refresh token each time. Reuse of an old one revokes the grant.
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    // A grant remains valid after the browser's sign-out: it expires and is revoked separately.
    expiresWithSession: () => Promise.resolve(false),
    clientBasedCORS: () => true,
    extraTokenClaims: ({ oidc }) => tokenMembers(oidc.entities.Grant),
    findAccount: async (_context, id) =>
      (await accountExists(Number(id))) ? { accountId: id, claims: () => ({ sub: id }) } : undefined,
    renderError: (context, out) => {
      context.type = 'html';
      context.set('Content-Security-Policy', PAGE_POLICY);
      context.body = failedPage(textsFor(context), out.error_description ?? out.error);
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
          context.body = logoutPage(textsFor(context), form);
        },
        postLogoutSuccessSource: (context) => {
          context.set('Content-Security-Policy', PAGE_POLICY);
          context.body = signedOutPage(textsFor(context));
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
  /** RFC 6749, 3.3: a client that names no scope gets the default. An unknown scope is an error. */
  function nameScopes(params: { scope?: string }): void {
    const named = (params.scope ?? '').split(' ').filter((scope) => scope !== '');
    const unknown = named.filter((scope) => !known.has(scope));
    if (unknown.length > 0) throw new errors.InvalidScope('requested scope is not supported', unknown.join(' '));
    const ours = named.some((scope) => (SCOPES as readonly string[]).includes(scope));
    if (!ours) params.scope = [...named, ...PROFILES[DEFAULT_PROFILE]].join(' ');
  }

  const provider = new Provider(issuer, configuration);
  provider.proxy = trustProxy;
  storeGrantMembers(provider);
  // With the token response, not at the consent: an abandoned authorization changes nothing.
  provider.use(async (context: KoaContextWithOIDC, next) => {
    await next();
    const { oidc, status } = context;
    const grant = oidc?.entities.Grant;
    if (oidc?.route !== 'token' || status !== 200 || oidc.params?.['grant_type'] !== 'authorization_code') return;
    // Different applications of one vendor on a machine can share the URL of a metadata document as client id.
    if (grant?.clientId !== undefined && !URL.canParse(grant.clientId)) await replaceEarlier(grant);
  });
  // Without this, URLs would contain the Host header, which the client controls.
  provider.OIDCContext.prototype.urlFor = (name, options) => provider.urlFor(name, options);
  // RFC 7591, 2: `scope` names scopes that a client can use. The library would reject every later request for others,
  // and unknown ones. The limits are the user's role and consent, so the member is ignored: in registrations, in clients
  // that registered earlier, and in metadata documents.
  const { Schema } = provider.Client as unknown as { Schema: { prototype: { scopes(): void } } };
  Schema.prototype.scopes = function (this: { scope?: unknown }) {
    delete this.scope;
  };
  // This function runs before the defaults are filled in, and is the only place that sees a registration as it was
  // sent. Without the defaults, a client that names no authentication method would get a secret that it never uses.
  const clients = provider.Client as unknown as { needsSecret(metadata: Record<string, unknown>): boolean };
  const needsSecret = clients.needsSecret.bind(clients);
  clients.needsSecret = (metadata) => {
    checkRegistration(metadata, (code, description) => {
      if (code === 'invalid_client_metadata') return new errors.InvalidClientMetadata(description);
      // The error class has a fixed description of another case and does not accept a different one.
      return Object.assign(new errors.InvalidRedirectUri(), { error_description: description });
    });
    return needsSecret({ ...CLIENT_DEFAULTS, ...metadata });
  };
  return provider;
}

/** An Ed25519 key from a seed of 32 bytes (RFC 8410). */
function signingKey(seed: Buffer): JWK {
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...(key.export({ format: 'jwk' }) as JWK), alg: 'EdDSA', use: 'sig' };
}
