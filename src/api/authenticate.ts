/** From an Authorization header to a caller. */
import { hashOfKey } from '../engines/postgres/provider-keys.js';
import type { ProviderQueries } from '../projections/provider-queries.js';
import { ANONYMOUS, type Caller } from './callers.js';
import { ApiError } from './errors.js';

const unauthenticated = (): ApiError => new ApiError('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' }, errors: [{ field: 'authorization', path: '', code: 'UNAUTHENTICATED' }] });

/** No header is nobody in particular; a header that names nobody is UNAUTHENTICATED, also where anyone may call. */
export function createAuthenticate(providers: ProviderQueries): (authorization: string | undefined) => Promise<Caller> {
  return async (authorization) => {
    if (authorization === undefined) return ANONYMOUS;
    const hash = hashOfKey(/^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1] ?? '');
    const holder = hash && (await providers.byKeyHash(hash));
    if (!holder) throw unauthenticated();
    const { keyId, provider } = holder;
    return { role: 'provider', id: provider.id, kind: provider.kind, mayOpen: provider.may_open, keyId, mapping: await providers.mapping(provider) };
  };
}
