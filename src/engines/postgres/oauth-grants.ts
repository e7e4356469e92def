/** OAuth grants of a user, for the user and for account administrators: list and revoke. */
import type { Pool } from 'pg';
import { derivedId } from '../../events/otep/identity.js';
import type { Vault } from '../vault.js';
import { contextOf, createOAuthStore, hashOf, revokeGrant, type OAuthPayload } from './oauth-store.js';

export interface OAuthGrant {
  /** UUID. Identifies callers with a token of the grant, also in proposals and in the audit log. */
  readonly id: string;
  readonly clientId: string;
  /** The name that the client gave itself. */
  readonly clientName: string | undefined;
  readonly scopes: readonly string[];
  readonly agreedAt: Date;
  readonly expiresAt: Date;
}

export type OAuthGrants = ReturnType<typeof createOAuthGrants>;

/** Maximum number of listed grants, newest first; users have fewer in practice. */
const MAX_SHOWN = 200;

/** The public id of a grant. */
export const grantIdOf = (secret: string): string => derivedId('oauth grant', secret);

interface Found {
  readonly key: Buffer;
  readonly expiresAt: Date;
  readonly payload: OAuthPayload;
}

export function createOAuthGrants(pool: Pool, vault: Vault) {
  const clients = createOAuthStore(pool, vault, 'Client');

  async function found(account: number): Promise<Found[]> {
    const { rows } = await pool.query<{ id: Buffer; payload: Buffer; expires_at: Date }>(
      `select id, payload, expires_at from access.oauth where account = $1 and model = 'Grant' and expires_at > now() order by created_at desc limit $2`,
      [account, MAX_SHOWN],
    );
    return rows.map(({ id, payload, expires_at }) => ({
      key: id,
      expiresAt: expires_at,
      payload: JSON.parse(vault.open(payload, contextOf('Grant', id)).toString()) as OAuthPayload,
    }));
  }

  return {
    /** Newest first. */
    of: async (account: number): Promise<OAuthGrant[]> =>
      Promise.all(
        (await found(account)).map(async ({ payload, expiresAt }) => {
          const clientId = payload.clientId ?? '';
          const client = (await clients.find(clientId)) as { client_name?: string } | undefined;
          return {
            id: grantIdOf(payload['jti'] as string),
            clientId,
            clientName: client?.client_name,
            scopes: scopesOf(payload),
            agreedAt: new Date((payload['iat'] as number) * 1_000),
            expiresAt,
          };
        }),
      ),
    /** Revokes a grant. Returns whether the account had it. */
    async revoke(account: number, id: string): Promise<boolean> {
      const grant = (await found(account)).find(({ payload }) => grantIdOf(payload['jti'] as string) === id);
      if (!grant) return false;
      await revokeGrant(pool, hashOf(grant.payload['jti'] as string));
      return true;
    },
    /**
     * Deletes all grants, codes, tokens and browser sessions of the account. It takes effect immediately in every
     * process.
     */
    async endAll(account: number): Promise<void> {
      await pool.query(
        `with ended as (insert into access.oauth_ended (account) values ($1) on conflict (account) do update set ended_at = now())
         delete from access.oauth where account = $1 or grant_id in (select id from access.oauth where account = $1 and model = 'Grant')`,
        [account],
      );
    },
  };
}

/** Scopes of all resources, without the requested scopes that the user rejected. */
function scopesOf(payload: OAuthPayload): string[] {
  const { resources = {}, rejected = {} } = payload as {
    resources?: Record<string, string>;
    rejected?: { resources?: Record<string, string> };
  };
  const scopes = Object.entries(resources).flatMap(([resource, given]) => {
    const refused = new Set((rejected.resources?.[resource] ?? '').split(' '));
    return given.split(' ').filter((scope) => scope !== '' && !refused.has(scope));
  });
  return [...new Set(scopes)].sort();
}
