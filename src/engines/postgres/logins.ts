/**
 * E-mail and password of users, and the lock behind failed sign-ins. The address is kept as a keyed hash, the password
 * as argon2id.
 */
import { hash, verify } from '@node-rs/argon2';
import type { Pool } from 'pg';
import type { BlindIndex } from '../blind-index.js';

/** OWASP's first choice for argon2id, which is the library's default kind: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Failures in a row that cost nothing. */
const FREE_FAILURES = 5;
/** The first lock; each further failure doubles it. */
const FIRST_LOCK_SECONDS = 2;
const LONGEST_LOCK_SECONDS = 900;
/** Failures are forgotten after this. */
const MEMORY_HOURS = 24;
/** An address that was taken for an account which never came about is free again after this. */
const ORPHAN_SECONDS = 60;

export type SignIn = { readonly account: number } | { readonly lockedSeconds: number } | 'refused';

export interface Logins {
  /**
   * Ties the address to the account; false when another account has it. A retry for the same account is no conflict.
   */
  claim(email: string, account: number): Promise<boolean>;
  setPassword(account: number, password: string): Promise<void>;
  /** Whether the password is the account's; false where it has none. */
  matches(account: number, password: string): Promise<boolean>;
  /**
   * Takes as long for an address that nobody has. Counted before the password is tried, so that many at once are many.
   */
  signIn(email: string, password: string): Promise<SignIn>;
  /** The account of an address. */
  accountOf(email: string): Promise<number | undefined>;
  forget(account: number): Promise<void>;
  sweep(): Promise<number>;
}

/** Addresses differ by more than case only in theory. */
const normalized = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

export function createLogins(pool: Pool, index: BlindIndex): Logins {
  const indexOf = (email: string): Buffer => index(normalized(email));
  let nobody: Promise<string> | undefined;

  return {
    async claim(email, account) {
      const { rowCount } = await pool.query(
        `insert into access.logins as l (account, email) values ($2, $1)
         on conflict (email) do update set account = excluded.account, password = case when l.account = excluded.account then l.password end, created_at = now()
           where l.account = excluded.account or (l.created_at < now() - make_interval(secs => $3) and not exists (select from accounts.accounts a where a.id = l.account))`,
        [indexOf(email), account, ORPHAN_SECONDS],
      );
      return rowCount === 1;
    },
    async setPassword(account, password) {
      await pool.query('update access.logins set password = $2 where account = $1', [
        account,
        await hash(password, ARGON2),
      ]);
    },
    async matches(account, password) {
      const { rows } = await pool.query<{ password: string | null }>(
        'select password from access.logins where account = $1',
        [account],
      );
      return rows[0]?.password ? verify(rows[0].password, password) : false;
    },
    async signIn(email, password) {
      const address = indexOf(email);
      const lockedSeconds = await countAttempt(pool, address);
      if (lockedSeconds > 0) return { lockedSeconds };
      const { rows } = await pool.query<{ account: number; password: string | null }>(
        'select account, password from access.logins where email = $1',
        [address],
      );
      const login = rows[0];
      nobody ??= hash('nobody has this password', ARGON2);
      const right = await verify(login?.password ?? (await nobody), password);
      if (!login?.password || !right) return 'refused';
      await pool.query('delete from access.attempts where email = $1', [address]);
      return { account: login.account };
    },
    async accountOf(email) {
      const { rows } = await pool.query<{ account: number }>('select account from access.logins where email = $1', [
        indexOf(email),
      ]);
      return rows[0]?.account;
    },
    async forget(account) {
      await pool.query(
        'with gone as (delete from access.logins where account = $1 returning email) delete from access.attempts a using gone where a.email = gone.email',
        [account],
      );
    },
    async sweep() {
      const { rowCount } = await pool.query(
        'delete from access.attempts where last_at < now() - make_interval(hours => $1)',
        [MEMORY_HOURS],
      );
      return rowCount ?? 0;
    },
  };
}

/**
 * Counts the attempt as a failure until it turns out to be none; seconds to wait while the address is locked, which
 * count nothing.
 */
async function countAttempt(pool: Pool, address: Buffer): Promise<number> {
  const { rows } = await pool.query<{ wait: number }>(
    `with before as (select failures, locked_until from access.attempts where email = $1),
          counted as (
            insert into access.attempts as a (email, failures) values ($1, 1)
            on conflict (email) do update set
              failures = case when a.last_at < now() - make_interval(hours => $5) then 1 else a.failures + 1 end, last_at = now(),
              locked_until = case when a.failures + 1 >= $2 then now() + make_interval(secs => least($4, $3 * power(2, least(a.failures + 1 - $2, 20)))) end
            where a.locked_until is null or a.locked_until <= now()
            returning 0 as wait)
     select wait from counted
     union all
     select ceil(extract(epoch from locked_until - now()))::int from before where locked_until > now() and not exists (select from counted)`,
    [address, FREE_FAILURES, FIRST_LOCK_SECONDS, LONGEST_LOCK_SECONDS, MEMORY_HOURS],
  );
  // No row: another attempt locked the address in this very moment.
  return rows[0]?.wait ?? FIRST_LOCK_SECONDS;
}
