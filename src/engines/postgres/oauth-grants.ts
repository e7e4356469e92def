/**
 * OAuth grants of a user, one per application: list and revoke. An application has several grants after it requested
 * more scopes, or if it runs on several machines with the same client id.
 */
import type { Pool } from 'pg';
import { derivedId } from '../../events/otep/identity.js';
import type { Vault } from '../vault.js';
import { contextOf, createOAuthStore, hashOf, revokeGrant, type OAuthPayload } from './oauth-store.js';

export interface OAuthGrant {
  /** UUID. Identifies callers with a token of the application, also in proposals and in the audit log. */
  readonly id: string;
  readonly clientId: string;
  /** The name that the client gave itself. */
  readonly clientName: string | undefined;
  /** Scopes of all grants of the application. */
  readonly scopes: readonly string[];
  /** Time of the latest consent. */
  readonly agreedAt: Date;
  readonly expiresAt: Date;
}

export type OAuthGrants = ReturnType<typeof createOAuthGrants>;

/** Maximum number of listed grants, newest first; users have fewer in practice. */
const MAX_SHOWN = 200;

/**
 * The public id of a user's access for an application. A new consent does not change it: otherwise an application that
 * requests more scopes would pass as another one, and could approve proposals that it made before.
 */
export const applicationIdOf = (account: number, clientId: string): string =>
  derivedId('oauth application', account, clientId);

/** The members of a grant of the library that are used here. */
interface NewGrant {
  readonly jti: string;
  readonly accountId?: string | undefined;
}

interface Found {
  readonly expiresAt: Date;
  readonly payload: OAuthPayload;
}

export function createOAuthGrants(pool: Pool, vault: Vault) {
  const clients = createOAuthStore(pool, vault, 'Client');

  /** Newest first. */
  async function found(account: number): Promise<Found[]> {
    const { rows } = await pool.query<{ id: Buffer; payload: Buffer; expires_at: Date }>(
      `select id, payload, expires_at from access.oauth where account = $1 and model = 'Grant' and expires_at > now() order by created_at desc limit $2`,
      [account, MAX_SHOWN],
    );
    return rows.map(({ id, payload, expires_at }) => ({
      expiresAt: expires_at,
      payload: JSON.parse(vault.open(payload, contextOf('Grant', id)).toString()) as OAuthPayload,
    }));
  }

  async function applicationOf(account: number, clientId: string, grants: readonly Found[]): Promise<OAuthGrant> {
    const client = (await clients.find(clientId)) as { client_name?: string } | undefined;
    return {
      id: applicationIdOf(account, clientId),
      clientId,
      clientName: client?.client_name,
      scopes: [...new Set(grants.flatMap(({ payload }) => scopesOf(payload)))].sort(),
      agreedAt: new Date(Math.max(...grants.map(({ payload }) => payload['iat'] as number)) * 1_000),
      expiresAt: new Date(Math.max(...grants.map(({ expiresAt }) => expiresAt.getTime()))),
    };
  }

  return {
    /** One for each application; the one with the latest consent is first. */
    async of(account: number): Promise<OAuthGrant[]> {
      const byClient = new Map<string, Found[]>();
      for (const grant of await found(account)) {
        const { clientId = '' } = grant.payload;
        byClient.set(clientId, [...(byClient.get(clientId) ?? []), grant]);
      }
      return Promise.all([...byClient].map(([clientId, grants]) => applicationOf(account, clientId, grants)));
    },
    /** Revokes all grants of an application. Returns whether the account had one. */
    async revoke(account: number, id: string): Promise<boolean> {
      const grants = await found(account);
      const clientId = grants
        .map(({ payload }) => payload.clientId ?? '')
        .find((one) => applicationIdOf(account, one) === id);
      if (clientId === undefined) return false;
      await pool.query(
        `with ended as (select id from access.oauth where model = 'Grant' and account = $1 and client = $2)
         delete from access.oauth where (model = 'Grant' and id in (select id from ended)) or grant_id in (select id from ended)`,
        [account, hashOf(clientId)],
      );
      return true;
    },
    /**
     * Revokes the grants that a new one replaces: earlier ones of the same user and client for the same resources, by
     * consent in the same browser session. A user who consents again decides about all scopes, so tokens of an earlier
     * decision must not remain valid. In another browser it may be another installation of the client.
     */
    async replaceEarlier({ accountId, jti }: NewGrant): Promise<void> {
      const newestFirst = await found(Number(accountId));
      const at = newestFirst.findIndex(({ payload }) => payload['jti'] === jti);
      const latest = newestFirst[at]?.payload;
      if (latest?.['consentSession'] === undefined) return;
      for (const { payload } of newestFirst.slice(at + 1))
        if (installationOf(payload) === installationOf(latest))
          await revokeGrant(pool, hashOf(payload['jti'] as string));
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

const installationOf = ({ clientId, consentSession, resources }: OAuthPayload): string =>
  JSON.stringify([clientId, consentSession, Object.keys(resources ?? {}).sort()]);

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
  return scopes;
}
