/**
 * Where the authorization server keeps its state, for all processes: ids hashed, contents sealed. Not events: these are
 * sessions and secrets.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

export interface OAuthPayload extends Record<string, unknown> {
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  readonly accountId?: string | undefined;
  readonly clientId?: string | undefined;
  /** Of a browser's session: when the person signed in, in seconds. */
  readonly loginTs?: number | undefined;
}

/** What `oidc-provider` asks of a store, per model; except that `consume` says whether it was the first. */
export interface OAuthStore {
  upsert(id: string, payload: OAuthPayload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<OAuthPayload | undefined>;
  findByUid(uid: string): Promise<OAuthPayload | undefined>;
  /** Device codes are not offered. */
  findByUserCode(userCode: string): Promise<undefined>;
  /** False where it was used before, or is gone: then all of its grant ends, for one of the two users stole it. */
  consume(id: string): Promise<boolean>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/**
 * A client that registered itself and that nobody agreed to is forgotten after a day, one with grants long after them.
 */
const NEW_CLIENT_HOURS = 24;
const USED_CLIENT_DAYS = 180;
/** Of what strangers may make without anybody's leave: of all beyond, the oldest go. */
const MOST = { Client: 10_000, Interaction: 5_000 } as const;

/** What an id is found by. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
/** What a row's content is sealed for. */
export const contextOf = (model: string, id: Buffer): string => `${model} ${id.toString('hex')}`;

export function createOAuthStore(pool: Pool, vault: Vault, model: string): OAuthStore {
  async function one(where: 'id' | 'uid', value: string): Promise<OAuthPayload | undefined> {
    // What belongs to a grant is worth nothing without it: a token may be written while its grant ends.
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
      // What belongs to a grant is kept only while the grant is there, and a session only if its sign-in was after all
      // sessions ended: what is under way while access ends does not outlive it.
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

/** A client that somebody agreed to runs out later than all that nobody did, and is not among them. */
async function keepNewest(pool: Pool, model: keyof typeof MOST): Promise<void> {
  await pool.query(
    `delete from access.oauth where model = $1 and id in (
       select id from access.oauth where model = $1 and expires_at <= now() + make_interval(hours => $2) order by expires_at desc offset $3)`,
    [model, NEW_CLIENT_HOURS, MOST[model]],
  );
}

/** The grant and all that was given out under it; `grant`: the hash of its id. */
export async function revokeGrant(pool: Pool, grant: Buffer): Promise<void> {
  await pool.query(`delete from access.oauth where grant_id = $1 or (model = 'Grant' and id = $1)`, [grant]);
}

/** Forgets what ran out; returns how many. */
export async function sweepOAuth(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query('delete from access.oauth where expires_at < now()');
  return rowCount ?? 0;
}

/** Of an interaction: who signed in on the way. */
function accountIn(payload: OAuthPayload): number | undefined {
  const { session, result } = payload as {
    session?: { accountId?: string };
    result?: { login?: { accountId?: string } };
  };
  const account = payload.accountId ?? result?.login?.accountId ?? session?.accountId;
  return account === undefined ? undefined : Number(account);
}
