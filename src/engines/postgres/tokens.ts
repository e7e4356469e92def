/**
 * Tokens of users: random, shown once, stored as a hash. Logins, API keys and access tokens of agents' clients are all
 * tokens.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { TokenKind } from '../../events/accounts/events.js';

const PREFIX = 'ott_';
const FORM = /^ott_[A-Za-z0-9_-]{43}$/;

/** The hash by which a token is stored and found; undefined if the text cannot be a token. */
export const hashOfToken = (token: string): Buffer | undefined =>
  FORM.test(token) ? createHash('sha256').update(token).digest() : undefined;

export interface NewToken {
  /** UUID. The same id again replaces the secret: a retry after a lost response. */
  readonly id: string;
  readonly account: number;
  readonly kind: TokenKind;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date;
}

export type Tokens = ReturnType<typeof createTokens>;

/** `now`: milliseconds since 1970. The clock that set the expiry also decides when tokens expire. */
export function createTokens(pool: Pool, now: () => number = Date.now) {
  return {
    /** Creates a token. It is shown only in the response. */
    async add({ id, account, kind, scopes, expiresAt }: NewToken): Promise<string> {
      const token = PREFIX + randomBytes(32).toString('base64url');
      await pool.query(
        `insert into access.tokens (id, hash, account, kind, scopes, expires_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set hash = excluded.hash where tokens.account = excluded.account and tokens.kind = excluded.kind`,
        [id, hashOfToken(token), account, kind, scopes, expiresAt ?? null],
      );
      return token;
    },
    /** Revokes a token. Returns whether the account had it. */
    async revoke(account: number, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from access.tokens where account = $1 and id = $2', [account, id]);
      return rowCount === 1;
    },
    /** Revokes all tokens of an account except `keep`; only those of one kind if `kind` is set. */
    async revokeAll(
      account: number,
      { keep, kind }: { readonly keep?: string; readonly kind?: NewToken['kind'] } = {},
    ): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.tokens where account = $1 and id is distinct from $2 and ($3::text is null or kind = $3)',
        [account, keep ?? null, kind ?? null],
      );
      return rowCount ?? 0;
    },
    /** Number of the account's API keys that have not expired. */
    async countKeys(account: number): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*)::int as count from access.tokens
          where account = $1 and kind = 'api_key' and (expires_at is null or expires_at > $2)`,
        [account, new Date(now())],
      );
      return rows[0]!.count;
    },
    /** Deletes expired tokens; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query('delete from access.tokens where expires_at < $1', [new Date(now())]);
      return rowCount ?? 0;
    },
  };
}
