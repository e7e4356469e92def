/** Keys of businesses at external systems, encrypted. They never leave the service except to that system. */
import type { Pool } from 'pg';
import type { Vault } from '../vault.js';

/** Hours for which a replaced credential remains, for calls that began before. */
const REPLACED_HOURS = 24;
/** The end of a shorter credential would reveal too much of it. */
const MIN_SHOWN_LENGTH = 12;

/** What responses show of a credential. */
export interface ShownCredential {
  readonly set: boolean;
  /** The last four characters; null: there is no credential, or it is too short. */
  readonly last4: string | null;
}

export interface NewCredential {
  /** UUID that is derived from the request: repeating it has no effect. */
  readonly id: string;
  readonly business: number;
  /** Such as `stripe_key`. */
  readonly kind: string;
  readonly secret: string;
  /** Id of the credential that it replaces. */
  readonly replaces?: string | undefined;
}

export type Credentials = ReturnType<typeof createCredentials>;

export function createCredentials(pool: Pool, vault: Vault) {
  const contextOf = (id: string): string => `credential ${id}`;

  const secretOf = async (id: string, business: number): Promise<string | undefined> => {
    const { rows } = await pool.query<{ sealed: Buffer }>({
      name: 'credential',
      text: 'select sealed from access.credentials where id = $1 and business = $2',
      values: [id, business],
    });
    return rows[0] && vault.open(rows[0].sealed, contextOf(id)).toString();
  };

  return {
    /** Durable when it resolves: store it before the event that contains its id. */
    async add({ id, business, kind, secret, replaces }: NewCredential): Promise<void> {
      await pool.query(
        `with added as (insert into access.credentials (id, business, kind, sealed) values ($1, $2, $3, $4) on conflict do nothing)
         update access.credentials set replaced_at = now() where id = $5 and id <> $1 and business = $2 and replaced_at is null`,
        [id, business, kind, vault.seal(Buffer.from(secret), contextOf(id)), replaces ?? null],
      );
    },
    /** Undefined: the business has no such credential, or it was destroyed. */
    secretOf,
    async shown(id: string | undefined, business: number): Promise<ShownCredential> {
      const secret = id === undefined ? undefined : await secretOf(id, business);
      if (secret === undefined) return { set: false, last4: null };
      return { set: true, last4: secret.length < MIN_SHOWN_LENGTH ? null : secret.slice(-4) };
    },
    /** Marks a credential as replaced, without a successor. */
    async remove(id: string, business: number): Promise<void> {
      await pool.query(
        'update access.credentials set replaced_at = now() where id = $1 and business = $2 and replaced_at is null',
        [id, business],
      );
    },
    /** Destroys credentials that were replaced more than 24 hours ago; returns their number. */
    async sweep(): Promise<number> {
      const { rowCount } = await pool.query(
        'delete from access.credentials where replaced_at < now() - make_interval(hours => $1)',
        [REPLACED_HOURS],
      );
      return rowCount ?? 0;
    },
  };
}

/** For an error of the vault: the stored text was changed, or belongs to another record. Throws all other errors. */
export function undefinedIfTampered(error: unknown): undefined {
  if (error instanceof Error && /authenticat/i.test(error.message)) return undefined;
  throw error;
}
