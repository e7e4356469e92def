/** Determines the caller of a request from its Authorization header. */
import type { Request } from 'express';
import { hashOfKey } from '../../engines/postgres/provider-keys.js';
import { hashOfToken } from '../../engines/postgres/tokens.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import type { ProviderQueries } from '../../projections/providers/queries.js';
import { ANONYMOUS, type Caller } from './callers.js';
import { ApiError } from './errors.js';
import { scopesFor, type Scope } from './scopes.js';

const unauthenticated = (): ApiError =>
  new ApiError('UNAUTHENTICATED', {
    says: 'TOKEN_INVALID',
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    errors: [{ field: 'authorization', path: '', code: 'UNAUTHENTICATED', says: 'TOKEN_INVALID' }],
  });

/** The full path of a request, independent of the router that handles it. */
export const pathOf = ({ baseUrl, path }: Request): string => baseUrl + path;

/** `path`: the path of the request, since a token may be valid for some paths only. */
export type Authenticate = (authorization: string | undefined, path: string) => Promise<Caller>;

/**
 * `byGrant` finds the caller of a token that the authorization server issued to an agent's client. A request without
 * the header is anonymous. A header that identifies no caller throws UNAUTHENTICATED, also for public operations.
 */
export function createAuthenticate(
  providers: ProviderQueries,
  accounts: AccountQueries,
  byGrant: (token: string, path: string) => Promise<Caller | undefined>,
): Authenticate {
  return async (authorization, path) => {
    if (authorization === undefined) return ANONYMOUS;
    const secret = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1] ?? '';
    const caller = (await byProviderKey(secret)) ?? (await byToken(secret)) ?? (await byGrant(secret, path));
    if (!caller) throw unauthenticated();
    return caller;
  };

  async function byProviderKey(key: string): Promise<Caller | undefined> {
    const hash = hashOfKey(key);
    const holder = hash && (await providers.byKeyHash(hash));
    if (!holder) return undefined;
    const { keyId, provider } = holder;
    return {
      role: 'provider',
      id: provider.id,
      kind: provider.kind,
      mayOpen: provider.may_open,
      keyId,
      carrierCodes: provider.carrier_codes,
      mapping: await providers.mapping(provider),
    };
  }

  async function byToken(token: string): Promise<Caller | undefined> {
    const hash = hashOfToken(token);
    const holder = hash && (await accounts.byTokenHash(hash));
    // The permissions of a role may have been reduced since the token was created.
    return (
      holder && {
        ...holder,
        scopes: scopesFor(holder.role, holder.scopes as readonly Scope[]),
        modules: new Set(holder.modules),
      }
    );
  }
}
