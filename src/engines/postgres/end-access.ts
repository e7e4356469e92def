/** Ends an account's access in one place, so that no kind of access is missed. */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';
import { createOAuthGrants } from './oauth-grants.js';
import { createTokens } from './tokens.js';

export interface EndAccessOptions {
  /** Token id of the session that requested it; that session stays valid. */
  readonly keep?: string;
  /** Also revoke API keys. The caller must also append an event for it to the account's stream. */
  readonly keys: boolean;
}

export interface EndedAccess {
  /** Number of revoked session tokens and API keys. */
  readonly tokens: number;
  /** Numbers of the valid API keys that were revoked, and that remain valid. */
  readonly keys: { readonly revoked: number; readonly kept: number };
}

/** Ends sessions and all OAuth grants of an account, with codes, tokens and browser sessions. */
export type EndAccess = (account: number, ending: EndAccessOptions) => Promise<EndedAccess>;

export function createEndAccess({ pool, oauthVault }: { pool: Pool; oauthVault: Vault }): EndAccess {
  const tokens = createTokens(pool);
  const grants = createOAuthGrants(pool, oauthVault);
  return async (account, { keep, keys }) => {
    const before = await tokens.countKeys(account);
    const ended = await tokens.revokeAll(account, {
      ...(keep !== undefined && { keep }),
      ...(!keys && { kind: 'login' as const }),
    });
    await grants.endAll(account);
    const kept = await tokens.countKeys(account);
    return { tokens: ended, keys: { revoked: Math.max(0, before - kept), kept } };
  };
}
