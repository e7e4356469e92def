/** Queries on the read model of address books. */
import { sql, type Kysely } from 'kysely';
import type { AddressEntry, AddressKind } from '../../events/addresses/events.js';
import type { KeyRing } from '../../events/core/codec.js';
import { BY_ID } from '../../sql/page-key.js';
import type { Database } from '../core/database.js';
import { pageOf, type Page, type Range } from '../core/page.js';
import { openRows } from '../core/sealed-members.js';
import type { AddressRow } from './read-model.js';

/** The owner of the address book: the business, or one of its customers. */
export interface AddressOwner {
  readonly business: number;
  readonly customerId: number | null;
}

export interface AddressFilter extends Range {
  readonly kind?: AddressKind | undefined;
  readonly country?: string | undefined;
}

/** An entry with decrypted personal data. Of an erased entry, only the members without personal data are left. */
export type Address = Pick<AddressRow, 'id' | 'revision'> &
  Partial<AddressEntry> &
  Pick<AddressEntry, 'kind' | 'default'>;

export type AddressQueries = ReturnType<typeof createAddressQueries>;

const NEWEST = sql<boolean>`default_at is not null and not exists (
  select from addresses.addresses other where other.business = entry.business and other.kind = entry.kind
     and other.customer_id is not distinct from entry.customer_id and other.default_at > entry.default_at)`;

export function createAddressQueries(database: Kysely<Database>, keyRing: KeyRing) {
  const book = ({ business, customerId }: AddressOwner) =>
    database
      .selectFrom('addresses.addresses as entry')
      .where('business', '=', business)
      .where('customer_id', customerId === null ? 'is' : '=', customerId)
      .where('removed', '=', false)
      .select(['id', 'sealed', 'revision', NEWEST.as('isDefault')]);
  const open = async (rows: readonly Pick<AddressRow, 'id' | 'sealed' | 'revision'>[]) => {
    const opened = await openRows<AddressEntry & { readonly isDefault: boolean }, (typeof rows)[number]>(rows, keyRing);
    return opened.map(({ isDefault, ...entry }): Address => ({ ...entry, default: isDefault }));
  };
  return {
    byId: async (id: number, owner: AddressOwner): Promise<Address | undefined> =>
      (await open(await book(owner).where('id', '=', id).execute()))[0],
    /** Sorted by id. */
    async list({ kind, country, ...range }: AddressFilter, owner: AddressOwner): Promise<Page<Address>> {
      const found = book(owner)
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
        .$if(country !== undefined, (query) => query.where('country', '=', country!));
      const page = await pageOf(found, range, BY_ID);
      return { ...page, rows: await open(page.rows) };
    },
  };
}
