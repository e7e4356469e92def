/** Keys of providers: random, shown once, stored as a hash. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

const PREFIX = 'otp_';
const FORM = /^otp_[A-Za-z0-9_-]{43}$/;
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The hash by which a key is stored and found; undefined if the text cannot be a key. */
export const hashOfKey = (key: string): Buffer | undefined => (FORM.test(key) ? hashOf(key) : undefined);

export type ProviderKeys = ReturnType<typeof createProviderKeys>;

export function createProviderKeys(pool: pg.Pool) {
  /** Creates a key. It is shown only in the response. */
  async function add(provider: string): Promise<string> {
    const key = PREFIX + randomBytes(32).toString('base64url');
    await pool.query('insert into access.provider_keys (id, provider, hash) values ($1, $2, $3)', [
      randomUUID(),
      provider,
      hashOf(key),
    ]);
    return key;
  }

  return {
    add,
    /** Creates a key; the old keys stay valid for `graceSeconds`. */
    async rotate(provider: string, graceSeconds: number): Promise<string> {
      await pool.query(
        `update access.provider_keys set expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(secs => $2)) where provider = $1`,
        [provider, graceSeconds],
      );
      return add(provider);
    },
    /** Revokes all keys of a provider; returns their number. */
    async revoke(provider: string): Promise<number> {
      const { rowCount } = await pool.query('delete from access.provider_keys where provider = $1', [provider]);
      return rowCount ?? 0;
    },
    /** Whether the key is currently valid. */
    async holds(key: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'select from access.provider_keys where hash = $1 and (expires_at is null or expires_at > now())',
        [hashOf(key)],
      );
      return rowCount === 1;
    },
    /** Number of valid keys by provider; providers without one are absent. */
    async inUse(): Promise<ReadonlyMap<string, number>> {
      const { rows } = await pool.query<{ provider: string; keys: number }>(
        'select provider, count(*)::int as keys from access.provider_keys where expires_at is null or expires_at > now() group by provider',
      );
      return new Map(rows.map(({ provider, keys }) => [provider, keys]));
    },
  };
}
