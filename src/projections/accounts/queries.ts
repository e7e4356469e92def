/** Queries on the read models of accounts and businesses. */
import DataLoader from 'dataloader';
import { unseal } from '../../events/core/codec.js';
import { accountSubject, type TokenKind, type UserRole } from '../../events/accounts/events.js';
import { BY_ID } from '../../sql/page-key.js';
import type { AccountRow, StoredApiKey } from './read-model.js';
import type { BusinessRow } from '../businesses/read-model.js';
import { batchedById } from '../../sql/batched.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import type { Parts } from '../core/parts.js';

/** The account that a token authenticates. */
export interface TokenHolder {
  readonly tokenId: string;
  readonly tokenKind: TokenKind;
  readonly scopes: readonly string[];
  readonly userId: number;
  readonly role: UserRole;
  readonly businessId: number | undefined;
  readonly timezone: string;
  readonly modules: readonly string[];
}

/** An account with decrypted personal data. The personal data of an erased account is absent. */
export interface Account extends Omit<AccountRow, 'person' | 'api_keys'> {
  readonly email?: string;
  readonly name?: string;
  readonly phone?: string;
  readonly api_keys: readonly (Omit<StoredApiKey, 'name'> & { readonly name?: string })[];
}

export interface AccountQueries {
  /**
   * Finds the holder of a valid token of an active account, by the token's SHA-256. Not cached, so that a revocation
   * takes effect immediately.
   */
  readonly byTokenHash: (hash: Buffer) => Promise<TokenHolder | undefined>;
  /** The account as a token would authenticate it; undefined unless the account is active. */
  readonly holder: (id: number) => Promise<Omit<TokenHolder, 'tokenId' | 'tokenKind' | 'scopes'> | undefined>;
  readonly byId: (id: number) => Promise<Account | undefined>;
  /** Returns the existing accounts, in no particular order. */
  readonly byIds: (ids: readonly number[]) => Promise<readonly Account[]>;
  /** Sorted by id. */
  readonly list: (
    filter: {
      readonly business?: number | undefined;
      readonly role?: UserRole | undefined;
      readonly status?: AccountRow['status'] | undefined;
    } & Range,
  ) => Promise<Omit<Page<Account>, 'rows'> & { readonly accounts: readonly Account[] }>;
  /** Ids in ascending order. `among`: only these drivers. */
  readonly activeDrivers: (business: number, among?: readonly number[]) => Promise<number[]>;
  readonly business: (id: number) => Promise<BusinessRow | undefined>;
  readonly businessByCode: (code: string) => Promise<BusinessRow | undefined>;
  /** The business whose payment provider sends messages to the address with this token. */
  readonly businessByPaymentToken: (token: string) => Promise<BusinessRow | undefined>;
  readonly businesses: (
    range: Range,
  ) => Promise<Omit<Page<BusinessRow>, 'rows'> & { readonly businesses: readonly BusinessRow[] }>;
}

export interface AccountQueriesOptions extends Parts<'pool' | 'database' | 'keyRing'> {
  /** Milliseconds since 1970. Tokens expire by this clock, which also sets their expiry. */
  readonly now: () => number;
}

export function createAccountQueries({ pool, database, keyRing, now }: AccountQueriesOptions): AccountQueries {
  const holders = new DataLoader<Buffer, TokenHolder | undefined, string>(
    async (hashes) => {
      const { rows } = await pool.query<{
        hash: Buffer;
        token: string;
        kind: TokenKind;
        scopes: string[];
        id: number;
        role: UserRole;
        business: number | null;
        timezone: string | null;
        modules: string[] | null;
      }>({
        name: 'token-holders',
        text: `select t.hash, t.id as token, t.kind, t.scopes, a.id, a.role, a.business, b.timezone, b.modules
                 from access.tokens t join accounts.accounts a on a.id = t.account left join businesses.businesses b on b.id = a.business
                where t.hash = any ($1) and (t.expires_at is null or t.expires_at > $2) and a.status = 'active'`,
        values: [hashes, new Date(now())],
      });
      const found = new Map(
        rows.map(({ hash, token, kind, scopes, id, role, business, timezone, modules }) => [
          hash.toString('hex'),
          {
            tokenId: token,
            tokenKind: kind,
            scopes,
            userId: id,
            role,
            businessId: business ?? undefined,
            timezone: timezone ?? 'UTC',
            modules: modules ?? [],
          },
        ]),
      );
      return hashes.map((hash) => found.get(hash.toString('hex')));
    },
    { cache: false, batchScheduleFn: setImmediate },
  );

  async function open(rows: readonly AccountRow[]): Promise<Account[]> {
    const keys = await keyRing.existing(rows.map(({ id }) => accountSubject(id)));
    return rows.map(({ person, api_keys, ...row }) => ({
      ...row,
      ...(Object.assign({}, ...person.map(({ id, data }) => unseal(data, id, keys))) as Pick<
        Account,
        'email' | 'name' | 'phone'
      >),
      api_keys: api_keys.map(({ name, ...key }) => ({
        ...key,
        ...(unseal(name.data, name.id, keys) as { readonly name?: string }),
      })),
    }));
  }

  return {
    byTokenHash: (hash) => holders.load(hash),
    async holder(id) {
      const row = await database
        .selectFrom('accounts.accounts as a')
        .leftJoin('businesses.businesses as b', 'b.id', 'a.business')
        .select(['a.id', 'a.role', 'a.business', 'b.timezone', 'b.modules'])
        .where('a.id', '=', id)
        .where('a.status', '=', 'active')
        .executeTakeFirst();
      return (
        row && {
          userId: row.id,
          role: row.role,
          businessId: row.business ?? undefined,
          timezone: row.timezone ?? 'UTC',
          modules: row.modules ?? [],
        }
      );
    },
    async byId(id) {
      const row = await database.selectFrom('accounts.accounts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && (await open([row]))[0];
    },
    async byIds(ids) {
      return ids.length === 0
        ? []
        : open(
            await database
              .selectFrom('accounts.accounts')
              .selectAll()
              .where('id', 'in', [...ids])
              .execute(),
          );
    },
    async list({ business, role, status, ...range }) {
      const filtered = database
        .selectFrom('accounts.accounts')
        .$if(business !== undefined, (query) => query.where('business', '=', business!))
        .$if(role !== undefined, (query) => query.where('role', '=', role!))
        .$if(status !== undefined, (query) => query.where('status', '=', status!));
      const { rows, ...page } = await pageOf(filtered.selectAll(), range, BY_ID);
      return { ...page, accounts: await open(rows) };
    },
    async activeDrivers(business, among) {
      const rows = await database
        .selectFrom('accounts.accounts')
        .select('id')
        .where('business', '=', business)
        .where('role', '=', 'driver')
        .where('status', '=', 'active')
        .$if(among !== undefined, (query) =>
          query.where((where) => where('id', '=', where.fn.any(where.val([...among!])))),
        )
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },
    business: batchedById((ids) =>
      database
        .selectFrom('businesses.businesses')
        .selectAll()
        .where((where) => where('id', '=', where.fn.any(where.val(ids))))
        .execute(),
    ),
    businessByCode: (code) =>
      database
        .selectFrom('businesses.businesses')
        .selectAll()
        .where('code', '=', code)
        .orderBy('id')
        .executeTakeFirst(),
    businessByPaymentToken: (token) =>
      database
        .selectFrom('businesses.businesses')
        .selectAll()
        .where('payment_token', '=', token)
        .orderBy('id')
        .executeTakeFirst(),
    async businesses(range) {
      const all = database.selectFrom('businesses.businesses').selectAll();
      const { rows, ...page } = await pageOf(all, range, BY_ID);
      return { ...page, businesses: rows };
    },
  };
}
