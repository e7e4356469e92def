/** From an Authorization header to a caller. */
import type { ProviderKeys } from '../engines/postgres/provider-keys.js';
import type { ProviderQueries } from '../projections/provider-queries.js';
import { ANONYMOUS, type Caller } from './callers.js';
import { ApiError } from './errors.js';

export interface AuthenticateOptions {
  readonly keys: Pick<ProviderKeys, 'find'>;
  readonly providers: ProviderQueries;
}

const unauthenticated = (): ApiError => new ApiError('UNAUTHENTICATED', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' }, errors: [{ field: 'authorization', path: '', code: 'UNAUTHENTICATED' }] });

/** No header is nobody in particular; a header that names nobody is UNAUTHENTICATED, also where anyone may call. */
export function createAuthenticate({ keys, providers }: AuthenticateOptions): (authorization: string | undefined) => Promise<Caller> {
  return async (authorization) => {
    if (authorization === undefined) return ANONYMOUS;
    const token = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization)?.[1];
    const key = token === undefined ? undefined : await keys.find(token);
    const provider = key && (await providers.byId(key.provider));
    if (!key || !provider) throw unauthenticated();
    return { role: 'provider', id: provider.id, kind: provider.kind, mayOpen: provider.may_open, keyId: key.id, mapping: await providers.mapping(provider) };
  };
}
