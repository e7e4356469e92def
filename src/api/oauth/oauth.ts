/** The interface of the authorization server for the service: its routes, and the callers of its tokens. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Provider } from 'oidc-provider';
import type { Engines } from '../../engines/open.js';
import { applicationIdOf, createOAuthGrants } from '../../engines/postgres/oauth-grants.js';
import { createOAuthStore, sweepOAuth } from '../../engines/postgres/oauth-store.js';
import { addressOf } from '../core/client-address.js';
import type { Caller } from '../core/callers.js';
import type { Parts } from '../core/parts.js';
import { scopesFor, type Scope } from '../core/scopes.js';
import type { MakeAllowance } from '../core/rate-limit.js';
import { declinedScopes } from './grant-members.js';
import { createInteractions } from './interactions.js';
import { libraryBody } from './form-body.js';
import {
  createAuthorizationServer,
  INTERACTION_PATH,
  isValidAudience,
  type AuthorizationServerOptions,
} from './provider.js';

export interface OAuthOptions
  extends
    Pick<AuthorizationServerOptions, 'fetch' | 'trustProxy'>,
    Parts<'pool' | 'logins' | 'accounts' | 'limit' | 'baseUrl'> {
  readonly engines: Pick<Engines, 'oauthVault' | 'secretFor'>;
  readonly allowance: MakeAllowance;
}

export type OAuth = ReturnType<typeof createOAuth>;

/**
 * Limits per network and ten minutes for anonymous requests whose data the service stores for ten minutes or a day.
 * They suffice for an office whose agents all connect at once.
 */
const ANONYMOUS_LIMITS = [
  { path: '/oauth/register', points: 60 },
  { path: '/oauth/authorize', points: 600 },
] as const;
const ANONYMOUS_LIMIT_SECONDS = 600;

/**
 * The form of tokens of the library: letters, digits, hyphens and underscores. Prefixes of tokens of the service are
 * excluded.
 */
const TOKEN_FORM = /^(?!ot[tp]_)[A-Za-z0-9_-]{43}$/;

export function createOAuth({
  pool,
  engines: { oauthVault, secretFor },
  logins,
  allowance,
  accounts,
  limit,
  baseUrl,
  fetch,
  trustProxy,
}: OAuthOptions) {
  let made: Promise<Provider> | undefined;
  const { replaceEarlier } = createOAuthGrants(pool, oauthVault);
  // Created at first use: the public address is known once the service listens.
  const provider = (): Promise<Provider> =>
    (made ??= createAuthorizationServer({
      issuer: baseUrl(),
      fetch,
      trustProxy,
      secretFor,
      store: (model) => createOAuthStore(pool, oauthVault, model),
      accountExists: async (userId) => Number.isSafeInteger(userId) && (await accounts.holder(userId)) !== undefined,
      replaceEarlier,
    }));

  const limits = ANONYMOUS_LIMITS.map(({ path, points }) => ({
    path,
    allow: allowance(path, { points, duration: ANONYMOUS_LIMIT_SECONDS }),
  }));
  const router = express.Router();
  router.use(INTERACTION_PATH, createInteractions({ provider, logins, accounts, limit }));
  const serve: RequestHandler = async (request: Request, response: Response) => {
    response.locals['route'] = request.path.startsWith('/oauth/') ? '/oauth' : '/.well-known';
    response.set(await limit(request.method === 'POST' ? 'write' : 'read', addressOf(request, response)));
    // The library's paths are not case-sensitive.
    const path = request.path.toLowerCase();
    await limits.find((one) => path.startsWith(one.path))?.allow(addressOf(request, response));
    // The library's page redirects the browser with a form.
    response.set('Content-Security-Policy', "base-uri 'none'; frame-ancestors 'none'");
    if (request.method === 'POST') await libraryBody(request, response);
    await (await provider()).callback()(request, response);
  };
  router.all(['/oauth/{*path}', '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'], serve);

  return {
    router,
    /** The caller of an access token that is valid now and for this path; undefined for any other text. */
    async callerOf(token: string, path: string): Promise<Caller | undefined> {
      if (!TOKEN_FORM.test(token)) return undefined;
      const found = await (await provider()).AccessToken.find(token);
      if (!found?.isValid || found.accountId === undefined) return undefined;
      if (!isValidAudience([found.aud ?? []].flat(), baseUrl(), path)) return undefined;
      const account = Number(found.accountId);
      const holder = await accounts.holder(account);
      if (!holder) return undefined;
      const granted = (found.scope ?? '').split(' ') as Scope[];
      return {
        ...holder,
        tokenKind: 'oauth',
        tokenId: applicationIdOf(account, found.clientId ?? ''),
        scopes: scopesFor(holder.role, granted),
        declined: declinedScopes(found.extra),
        modules: new Set(holder.modules),
      };
    },
    sweep: (): Promise<number> => sweepOAuth(pool),
  };
}
