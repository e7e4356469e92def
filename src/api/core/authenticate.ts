/** From an Authorization header to a caller. */
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

/** The address that a request came to, whatever router answers it. */
export const pathOf = ({ baseUrl, path }: Request): string => baseUrl + path;

/** `path`: the address that was asked, since a token may be good for a part of them only. */
export type Authenticate = (authorization: string | undefined, path: string) => Promise<Caller>;

/**
 * `byGrant`: of what the authorization server gave an agent's client. No header is nobody in particular; a header that
 * names nobody is UNAUTHENTICATED, also where anyone may call.
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
      mapping: await providers.mapping(provider),
    };
  }

  async function byToken(token: string): Promise<Caller | undefined> {
    const hash = hashOfToken(token);
    const holder = hash && (await accounts.byTokenHash(hash));
    // What a role may do can have become less since the token was made.
    return (
      holder && {
        ...holder,
        scopes: scopesFor(holder.role, holder.scopes as readonly Scope[]),
        modules: new Set(holder.modules),
      }
    );
  }
}
