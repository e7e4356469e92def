/** Keys of providers: random, shown once, stored as a hash. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import DataLoader from 'dataloader';
import type pg from 'pg';

const PREFIX = 'otp_';
const FORM = /^otp_[A-Za-z0-9_-]{43}$/;
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export interface ProviderKey {
  readonly id: string;
  readonly provider: string;
}

export interface ProviderKeys {
  /** The key's provider, or undefined for an unknown, revoked or expired one. Not cached: a revocation holds at once. */
  find(key: string): Promise<ProviderKey | undefined>;
  /** A new key: the answer is the only time that it can be seen. */
  add(provider: string): Promise<string>;
  /** A new key; the old ones go on for `graceSeconds`. */
  rotate(provider: string, graceSeconds: number): Promise<string>;
  /** How many keys were taken away. */
  revoke(provider: string): Promise<number>;
  /** How many keys each provider can use now; a provider without one is absent. */
  inUse(): Promise<ReadonlyMap<string, number>>;
}

export function createProviderKeys(pool: pg.Pool): ProviderKeys {
  const found = new DataLoader<string, ProviderKey | undefined>(
    async (keys) => {
      const hashes = keys.map(hashOf);
      const { rows } = await pool.query<{ id: string; provider: string; hash: Buffer }>({
        name: 'provider-keys',
        text: 'select id, provider, hash from access.provider_keys where hash = any ($1) and (expires_at is null or expires_at > now())',
        values: [hashes],
      });
      const byHash = new Map(rows.map(({ hash, ...key }) => [hash.toString('hex'), key]));
      return hashes.map((hash) => byHash.get(hash.toString('hex')));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );

  async function add(provider: string): Promise<string> {
    const key = PREFIX + randomBytes(32).toString('base64url');
    await pool.query('insert into access.provider_keys (id, provider, hash) values ($1, $2, $3)', [randomUUID(), provider, hashOf(key)]);
    return key;
  }

  return {
    find: async (key) => (FORM.test(key) ? found.load(key) : undefined),
    add,
    async rotate(provider, graceSeconds) {
      await pool.query(
        `update access.provider_keys set expires_at = least(coalesce(expires_at, 'infinity'), now() + make_interval(secs => $2)) where provider = $1`, [provider, graceSeconds]);
      return add(provider);
    },
    async revoke(provider) {
      const { rowCount } = await pool.query('delete from access.provider_keys where provider = $1', [provider]);
      return rowCount ?? 0;
    },
    async inUse() {
      const { rows } = await pool.query<{ provider: string; keys: number }>(
        'select provider, count(*)::int as keys from access.provider_keys where expires_at is null or expires_at > now() group by provider');
      return new Map(rows.map(({ provider, keys }) => [provider, keys]));
    },
  };
}
