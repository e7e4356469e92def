/** What of an account's access ends with what: one place, so that nothing that lets in is forgotten. */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';
import { createOAuthGrants } from './oauth-grants.js';
import { createTokens } from './tokens.js';

export interface Ending {
  /** The session that asks for it continues. */
  readonly keep?: string;
  /** API keys too; that they ended is a fact of the account's stream as well. */
  readonly keys: boolean;
}

/**
 * Ends sessions, and all that agents' clients were given: grants, codes, tokens and browsers' sign-ins. Returns how
 * many tokens of our own it were.
 */
export type EndAccess = (account: number, ending: Ending) => Promise<number>;

export function createEndAccess({ pool, oauthVault }: { pool: Pool; oauthVault: Vault }): EndAccess {
  const tokens = createTokens(pool);
  const grants = createOAuthGrants(pool, oauthVault);
  return async (account, { keep, keys }) => {
    const ended = await tokens.revokeAll(account, {
      ...(keep !== undefined && { keep }),
      ...(!keys && { kind: 'login' as const }),
    });
    await grants.endAll(account);
    return ended;
  };
}
