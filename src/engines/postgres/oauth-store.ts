/**
 * Stores the state of the authorization server, for all processes: ids hashed, contents encrypted. Not in events,
 * because these are sessions and secrets.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export interface OAuthPayload extends Record<string, unknown> {
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  /** For a browser session: time of the sign-in, in seconds. */
  readonly loginTs?: number | undefined;
}

/**
 * The store interface that `oidc-provider` requires, per model. The difference: `consume` returns whether it was the
 * first use.
 */
export interface OAuthStore {
  upsert(id: string, payload: OAuthPayload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<OAuthPayload | undefined>;
  findByUid(uid: string): Promise<OAuthPayload | undefined>;
  /** Device codes are not supported. */
  findByUserCode(userCode: string): Promise<undefined>;
  /**
   * Returns false if the token was used before or does not exist. If it was used before, its whole grant is revoked,
   * because one of the two users stole it.
   */
  consume(id: string): Promise<boolean>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Retention of a self-registered client without a grant, and of a client after its latest grant. */
const NEW_CLIENT_HOURS = 24;
const USED_CLIENT_DAYS = 180;
/** Maximum number of rows that unauthenticated callers can create. The oldest rows beyond it are deleted. */
const MAX_STORED = { Client: 10_000, Interaction: 5_000 } as const;

/** The hash by which an id is stored and found. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** The context that is bound to a row's encrypted content. */
export const contextOf = (model: string, id: Buffer): string => `${model} ${id.toString('hex')}`;

export function createOAuthStore(pool: Pool, vault: Vault, model: string): OAuthStore {
  async function one(where: 'id' | 'uid', value: string): Promise<OAuthPayload | undefined> {
    // A row is valid only while its grant exists: a token may be written while its grant is being revoked.
    const { rows } = await pool.query<{ id: Buffer; payload: Buffer; consumed: boolean }>(
      `select id, payload, consumed from access.oauth o where model = $1 and ${where} = $2 and (expires_at is null or expires_at > now())
         and (grant_id is null or exists (select from access.oauth g where g.model = 'Grant' and g.id = o.grant_id))`,
      [model, hashOf(value)],
    );
    const row = rows[0];
    if (!row) return undefined;
    const payload = JSON.parse(vault.open(row.payload, contextOf(model, row.id)).toString()) as OAuthPayload;
    return row.consumed ? { ...payload, consumed: true } : payload;
  }

  return {
    async upsert(id, payload, expiresIn) {
      const key = hashOf(id);
      const account = accountIn(payload);
      // Inserts a row of a grant only while the grant exists. Inserts a session only if its sign-in was after the last
      // end of all sessions. A flow that runs while access is being revoked therefore does not outlive it.
      await pool.query(
        `insert into access.oauth (model, id, payload, grant_id, uid, account, client, expires_at)
         select $1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8)
         where ($4::bytea is null or exists (select from access.oauth where model = 'Grant' and id = $4 for share))
           and not exists (select from access.oauth_ended e where e.account = $6 and to_timestamp($9) < date_trunc('second', e.ended_at))
         on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
           account = excluded.account, client = excluded.client, expires_at = excluded.expires_at, created_at = now()`,
        [
          model,
          key,
          vault.seal(Buffer.from(JSON.stringify(payload)), contextOf(model, key)),
          payload.grantId === undefined ? null : hashOf(payload.grantId),
          payload.uid === undefined ? null : hashOf(payload.uid),
          account ?? null,
          payload.clientId === undefined ? null : hashOf(payload.clientId),
          model === 'Client' ? NEW_CLIENT_HOURS * 3_600 : (expiresIn ?? null),
          payload.loginTs ?? null,
        ],
      );
      if (model === 'Client' || model === 'Interaction') await keepNewest(pool, model);
      if (model === 'Grant' && payload.clientId !== undefined)
        await pool.query(
          `update access.oauth set expires_at = now() + make_interval(days => $2) where model = 'Client' and id = $1`,
          [hashOf(payload.clientId), USED_CLIENT_DAYS],
        );
    },
    find: (id) => one('id', id),
    findByUid: (uid) => one('uid', uid),
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      const key = hashOf(id);
      const { rowCount } = await pool.query(
        'update access.oauth set consumed = true where model = $1 and id = $2 and not consumed',
        [model, key],
      );
      if (rowCount === 1) return true;
      const { rows } = await pool.query<{ grant_id: Buffer | null }>(
        'select grant_id from access.oauth where model = $1 and id = $2',
        [model, key],
      );
      if (rows[0]?.grant_id) await revokeGrant(pool, rows[0].grant_id);
      return false;
    },
    async destroy(id) {
      await pool.query('delete from access.oauth where model = $1 and id = $2', [model, hashOf(id)]);
    },
    revokeByGrantId: (grantId) => revokeGrant(pool, hashOf(grantId)),
  };
}

/** Clients with a grant expire later than all others, so the filter does not match them. */
async function keepNewest(pool: Pool, model: keyof typeof MAX_STORED): Promise<void> {
  await pool.query(
    `delete from access.oauth where model = $1 and id in (
       select id from access.oauth where model = $1 and expires_at <= now() + make_interval(hours => $2) order by expires_at desc offset $3)`,
    [model, NEW_CLIENT_HOURS, MAX_STORED[model]],
  );
}

/** Deletes the grant and everything that was issued under it. `grant`: the hash of its id. */
export async function revokeGrant(pool: Pool, grant: Buffer): Promise<void> {
  await pool.query(`delete from access.oauth where grant_id = $1 or (model = 'Grant' and id = $1)`, [grant]);
}

/** Deletes expired rows; returns their number. */
export async function sweepOAuth(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query('delete from access.oauth where expires_at < now()');
  return rowCount ?? 0;
}

/** The user who signed in during an interaction. */
function accountIn(payload: OAuthPayload): number | undefined {
  const { session, result } = payload as {
    session?: { accountId?: string };
    result?: { login?: { accountId?: string } };
  };
  const account = payload.accountId ?? result?.login?.accountId ?? session?.accountId;
  return account === undefined ? undefined : Number(account);
}
