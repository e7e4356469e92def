/** Subject keys in PostgreSQL, encrypted with the master key. */
import DataLoader from 'dataloader';
import type pg from 'pg';
import QuickLRU from 'quick-lru';
import type { KeyRing } from '../../events/core/codec.js';
import { drawBytes } from '../../events/core/random.js';
import { createWakeUp } from '../postgres-log/wake-up.js';
import type { Vault } from '../vault.js';

/**
 * Maximum time that another process may use a key after it was destroyed here, if the notification is lost. Otherwise
 * it is notified immediately.
 */
const CACHE_MS = 5_000;

const CHANNEL = 'keys_destroyed';

export interface PostgresKeyRing extends KeyRing {
  /** Destroys the keys permanently. Unknown subjects are also marked, so that no key is created for them later. */
  destroy(subjects: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface KeyRingOptions {
  readonly pool: pg.Pool;
  /** Pool that stores new keys. It may commit asynchronously if an append to the same database follows. */
  readonly makingPool: pg.Pool;
  readonly vault: Vault;
}

export function createKeyRing({ pool, makingPool, vault }: KeyRingOptions): PostgresKeyRing {
  const cache = new QuickLRU<string, Buffer>({ maxSize: 50_000, maxAge: CACHE_MS });
  /** Increases when keys were destroyed in any process: keys that were read before may be among them. */
  let epoch = 0;
  const forget = (): void => {
    epoch++;
    cache.clear();
  };
  const wakeUp = createWakeUp(pool, CHANNEL, forget);

  async function find(subjects: readonly string[]): Promise<Map<string, Buffer | null>> {
    const { rows } = await pool.query<{ subject: string; wrapped: Buffer | null }>({
      name: 'subject-keys',
      text: 'select subject, wrapped from vault.subject_keys where subject = any ($1)',
      values: [subjects],
    });
    return new Map(rows.map(({ subject, wrapped }) => [subject, wrapped && vault.open(wrapped, subject)]));
  }

  /** One statement for all subjects that are requested at the same time; the first writer's key wins. */
  const making = new DataLoader<string, Buffer | null>(
    async (requested) => {
      // Each subject once: two requests for one subject at the same time must get the key that is stored.
      const subjects = [...new Set(requested)];
      const drawn = new Map(subjects.map((subject) => [subject, drawBytes(32)]));
      // Inserted keys are the keys created above, so they need not be read back and decrypted.
      const { rows } = await makingPool.query<{ subject: string }>({
        name: 'make-subject-keys',
        text: 'insert into vault.subject_keys (subject, wrapped) select * from unnest($1::text[], $2::bytea[]) order by 1 on conflict do nothing returning subject',
        values: [subjects, subjects.map((subject) => vault.seal(drawn.get(subject)!, subject))],
      });
      const made = new Set(rows.map(({ subject }) => subject));
      const missing = subjects.filter((subject) => !made.has(subject));
      const found = missing.length > 0 ? await find(missing) : undefined;
      return requested.map((subject) => (made.has(subject) ? drawn.get(subject)! : (found?.get(subject) ?? null)));
    },
    { cache: false, maxBatchSize: 1_000, batchScheduleFn: setImmediate },
  );

  async function gather(
    subjects: readonly string[],
    rest: (missing: string[]) => Promise<ReadonlyMap<string, Buffer | null>>,
  ): Promise<Map<string, Buffer>> {
    const keys = new Map<string, Buffer>();
    const missing: string[] = [];
    for (const subject of subjects) {
      const key = cache.get(subject);
      if (key) keys.set(subject, key);
      else missing.push(subject);
    }
    if (missing.length === 0) return keys;
    const before = epoch;
    for (const [subject, key] of await rest(missing)) {
      if (!key) continue;
      keys.set(subject, key);
      if (before === epoch) cache.set(subject, key);
    }
    return keys;
  }

  return {
    keysFor: (subjects) =>
      gather(subjects, async (missing) => {
        const keys = await Promise.all(missing.map((subject) => making.load(subject)));
        return new Map(missing.map((subject, index) => [subject, keys[index]!]));
      }),
    existing: (subjects) => gather(subjects, find),
    async destroy(subjects) {
      // Commits synchronously, whatever the pool's setting: a crash must not restore a destroyed key.
      await pool.query(
        `insert into vault.subject_keys (subject, wrapped, destroyed_at)
         select subject, null, now() from set_config('synchronous_commit', 'on', true), unnest($1::text[]) as s (subject)
         on conflict (subject) do update set wrapped = null, destroyed_at = coalesce(subject_keys.destroyed_at, now())`,
        [subjects],
      );
      forget();
      await pool.query(`notify ${CHANNEL}`);
    },
    close: () => wakeUp.close(),
  };
}
