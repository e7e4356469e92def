/** E-mail address and password of users. The address is stored as a keyed hash, the password as argon2id. */
import type { Pool } from 'pg';
import { timeLimits, type TimeLimits } from '../../events/core/time-limits.js';
import type { BlindIndex } from '../blind-index.js';
import { hashPassword, checkDummyPassword, inPasswordTurn, isPassword } from '../passwords.js';
import { createAttempts } from './attempts.js';
import { NO_SHARED_COUNTS, type SharedCounts } from './shared-counts.js';

export type SignIn = { readonly account: number } | { readonly lockedSeconds: number } | 'refused';

export type Logins = ReturnType<typeof createLogins>;

/** Calls without a client: of commands, and of the demo data. */
const THIS_PROCESS = 'this process';

/** Any number of accounts that await approval may have the same address. */
const MAX_SAME_ADDRESS = 200;

/** In practice, addresses that differ only in case are the same. */
const normalized = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

interface Row {
  readonly account: number;
  readonly password: string | null;
}

export interface LoginsOptions {
  /** Counts the failures of a network across all processes that share it. */
  readonly counts?: Pick<SharedCounts, 'join'>;
  /** An address that was claimed for an account which was never created becomes free after `orphanSeconds`. */
  readonly limits?: Pick<TimeLimits, 'orphanSeconds'>;
}

export function createLogins(
  pool: Pool,
  index: BlindIndex,
  { counts = NO_SHARED_COUNTS, limits: { orphanSeconds } = timeLimits() }: LoginsOptions = {},
) {
  const indexOf = (email: string): Buffer => index(normalized(email));
  const attempts = createAttempts(pool, index, counts);

  const tried = (what: string, from: string, password: string, find: () => Promise<Row | undefined>): Promise<SignIn> =>
    inPasswordTurn(from, what, async () => {
      const attempt = await attempts.begin(what, from);
      if (attempt.wait > 0) return { lockedSeconds: attempt.wait };
      const login = await find();
      const right = await (login?.password ? isPassword(login.password, password) : checkDummyPassword(password));
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
     * Assigns the address to the account. Returns false if another account has it. A retry for the same account
     * succeeds.
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
    /** Stores the address of an account that awaits approval; other accounts may still claim it. */
    async note(email: string, account: number): Promise<void> {
      await pool.query(
        'insert into access.logins (account, email, proved) values ($2, $1, false) on conflict (account) do nothing',
        [indexOf(email), account],
      );
    },
    /** Reserves the address for the approved account. Returns false if another account has it. */
    async prove(account: number): Promise<boolean> {
      try {
        await pool.query('update access.logins set proved = true where account = $1 and not proved', [account]);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === '23505') return false;
        throw error;
      }
    },
    /** `from`: the address of the caller. Throws PasswordsBusy. */
    async setPassword(account: number, password: string, from = THIS_PROCESS): Promise<void> {
      const hashed = await inPasswordTurn(from, `set ${account}`, () => hashPassword(password));
      await pool.query('update access.logins set password = $2 where account = $1', [account, hashed]);
    },
    /** Whether the password is the account's; false if it has none. */
    async matches(account: number, password: string): Promise<boolean> {
      const login = await findBy('account', account);
      const hashed = login?.password;
      return hashed ? inPasswordTurn(THIS_PROCESS, `match ${account}`, () => isPassword(hashed, password)) : false;
    },
    /**
     * Takes as long for an unknown address as for a known one. The attempt is counted before the password is checked,
     * so that parallel attempts all count. `from`: the caller's address.
     */
    signIn: (email: string, password: string, from: string): Promise<SignIn> =>
      tried(`sign in ${normalized(email)}`, from, password, () => findBy('email', indexOf(email))),
    /** Checks the password of a signed-in user. Counted separately, because failures here do not lock the sign-in. */
    confirm: (account: number, password: string, from: string): Promise<SignIn> =>
      tried(`confirm ${account}`, from, password, () => findBy('account', account)),
    /** The account with this address. */
    async accountOf(email: string): Promise<number | undefined> {
      return (await findBy('email', indexOf(email)))?.account;
    },
    /** Accounts with this address: the one that proved it first, then those that await approval. */
    async accountsOf(email: string): Promise<number[]> {
      const { rows } = await pool.query<Pick<Row, 'account'>>(
        'select account from access.logins where email = $1 order by proved desc, account limit $2',
        [indexOf(email), MAX_SAME_ADDRESS],
      );
      return rows.map(({ account }) => account);
    },
    async forget(account: number): Promise<void> {
      await pool.query('delete from access.logins where account = $1', [account]);
    },
    sweep: (): Promise<number> => attempts.sweep(),
  };
}
