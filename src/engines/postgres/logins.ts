/** E-mail and password of users. The address is kept as a keyed hash, the password as argon2id. */
import type { Pool } from 'pg';
import { timeLimits, type TimeLimits } from '../../events/core/time-limits.js';
import type { BlindIndex } from '../blind-index.js';
import { hashPassword, isNobodysPassword, isPassword, whileTrying } from '../passwords.js';
import { createAttempts } from './attempts.js';
import { ALONE, type SharedCounts } from './shared-counts.js';

export type SignIn = { readonly account: number } | { readonly lockedSeconds: number } | 'refused';

export type Logins = ReturnType<typeof createLogins>;

/** Addresses differ by more than case only in theory. */
const normalized = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

interface Row {
  readonly account: number;
  readonly password: string | null;
}

export interface LoginsOptions {
  /** Failures of a network count over all processes that share them. */
  readonly counts?: Pick<SharedCounts, 'join'>;
  /** An address that was claimed for an account which was never created is free again after `orphanSeconds`. */
  readonly limits?: Pick<TimeLimits, 'orphanSeconds'>;
}

export function createLogins(
  pool: Pool,
  index: BlindIndex,
  { counts = ALONE, limits: { orphanSeconds } = timeLimits() }: LoginsOptions = {},
) {
  const indexOf = (email: string): Buffer => index(normalized(email));
  const attempts = createAttempts(pool, index, counts);

  const tried = (what: string, from: string, password: string, find: () => Promise<Row | undefined>): Promise<SignIn> =>
    whileTrying(async () => {
      const attempt = await attempts.begin(what, from);
      if (attempt.wait > 0) return { lockedSeconds: attempt.wait };
      const login = await find();
      const right = await (login?.password ? isPassword(login.password, password) : isNobodysPassword(password));
      if (!login || !right) {
        await attempt.failed();
        return 'refused';
      }
      await attempt.succeeded();
      return { account: login.account };
    });

  const findBy = async (where: 'email' | 'account', value: Buffer | number): Promise<Row | undefined> => {
    const { rows } = await pool.query<Row>(
      `select account, password from access.logins where ${where} = $1 and proved`,
      [value],
    );
    return rows[0];
  };

  return {
    /**
     * Ties the address to the account; false when another account has it. A retry for the same account is no conflict.
     */
    async claim(email: string, account: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into access.logins as l (account, email) values ($2, $1)
         on conflict (email) where proved do update set account = excluded.account, password = case when l.account = excluded.account then l.password end, created_at = now()
           where l.account = excluded.account or (l.created_at < now() - make_interval(secs => $3) and not exists (select from accounts.accounts a where a.id = l.account))`,
        [indexOf(email), account, orphanSeconds],
      );
      return rowCount === 1;
    },
    /** Notes the address of an account that waits to be let in: others may still have it. */
    async note(email: string, account: number): Promise<void> {
      await pool.query(
        'insert into access.logins (account, email, proved) values ($2, $1, false) on conflict (account) do nothing',
        [indexOf(email), account],
      );
    },
    /** The account that waited has its address for itself; false when another account has it by now. */
    async prove(account: number): Promise<boolean> {
      try {
        await pool.query('update access.logins set proved = true where account = $1 and not proved', [account]);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === '23505') return false;
        throw error;
      }
    },
    async setPassword(account: number, password: string): Promise<void> {
      await pool.query('update access.logins set password = $2 where account = $1', [
        account,
        await hashPassword(password),
      ]);
    },
    /** Whether the password is the account's; false where it has none. */
    async matches(account: number, password: string): Promise<boolean> {
      const login = await findBy('account', account);
      return login?.password ? isPassword(login.password, password) : false;
    },
    /**
     * Takes as long for an address that nobody has. Counted before the password is tried, so that many at once are many.
     * `from`: the caller's address.
     */
    signIn: (email: string, password: string, from: string): Promise<SignIn> =>
      tried(`sign in ${normalized(email)}`, from, password, () => findBy('email', indexOf(email))),
    /** The password of somebody who is signed in: counted apart, since it locks no sign-in. */
    confirm: (account: number, password: string, from: string): Promise<SignIn> =>
      tried(`confirm ${account}`, from, password, () => findBy('account', account)),
    /** The account of an address. */
    async accountOf(email: string): Promise<number | undefined> {
      return (await findBy('email', indexOf(email)))?.account;
    },
    async forget(account: number): Promise<void> {
      await pool.query('delete from access.logins where account = $1', [account]);
    },
    sweep: (): Promise<number> => attempts.sweep(),
  };
}
