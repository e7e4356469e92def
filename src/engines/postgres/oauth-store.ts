/**
 * Where the authorization server keeps its state, for all processes: ids hashed, contents sealed. Not events: these are
 * sessions and secrets.
 */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

type Payload = Record<string, unknown> & { readonly grantId?: string | undefined; readonly uid?: string | undefined };

/** What `oidc-provider` asks of a store, per model. */
export interface OAuthStore {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  /** Device codes are not offered. */
  findByUserCode(userCode: string): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Clients that registered themselves and were never used again are forgotten after this. */
const IDLE_CLIENT_DAYS = 90;

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createOAuthStore(pool: Pool, vault: Vault, model: string): OAuthStore {
  async function one(where: 'id' | 'uid', value: string): Promise<Payload | undefined> {
    const { rows } = await pool.query<{ id: Buffer; payload: Buffer; consumed: boolean }>(
      `select id, payload, consumed from access.oauth where model = $1 and ${where} = $2 and (expires_at is null or expires_at > now())`,
      [model, hashOf(value)],
    );
    const row = rows[0];
    if (!row) return undefined;
    const payload = JSON.parse(vault.open(row.payload, contextOf(row.id)).toString()) as Payload;
    return row.consumed ? { ...payload, consumed: true } : payload;
  }

  const contextOf = (id: Buffer): string => `${model} ${id.toString('hex')}`;

  return {
    async upsert(id, payload, expiresIn) {
      const key = hashOf(id);
      await pool.query(
        `insert into access.oauth (model, id, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
         on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at, created_at = now()`,
        [
          model,
          key,
          vault.seal(Buffer.from(JSON.stringify(payload)), contextOf(key)),
          payload.grantId === undefined ? null : hashOf(payload.grantId),
          payload.uid === undefined ? null : hashOf(payload.uid),
          expiresIn ?? null,
        ],
      );
    },
    find: (id) => one('id', id),
    findByUid: (uid) => one('uid', uid),
    findByUserCode: () => Promise.resolve(undefined),
    async consume(id) {
      await pool.query('update access.oauth set consumed = true where model = $1 and id = $2', [model, hashOf(id)]);
    },
    async destroy(id) {
      await pool.query('delete from access.oauth where model = $1 and id = $2', [model, hashOf(id)]);
    },
    async revokeByGrantId(grantId) {
      await pool.query('delete from access.oauth where grant_id = $1', [hashOf(grantId)]);
    },
  };
}

/** Forgets what ran out, and clients without any grant that registered long ago; returns how many. */
export async function sweepOAuth(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from access.oauth where expires_at < now() or (model = 'Client' and created_at < now() - make_interval(days => $1))`,
    [IDLE_CLIENT_DAYS],
  );
  return rowCount ?? 0;
}
