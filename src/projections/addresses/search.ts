/**
 * The search index of address books, like the one of orders (projections/orders/search.ts). A follower decrypts each
 * entry and writes keyed hashes: of the trigrams of its texts, and of its normalized address, which detects duplicates.
 * The transaction that destroys the key of an entry also deletes them (trigger in migration 0220). They are written
 * only while the key exists.
 */
import {
  ADDRESS_PREFIX,
  AddressRemoved,
  type AddressEntry,
  type AddressSavedData,
} from '../../events/addresses/events.js';
import type { AddressKeyOf, AddressOwner } from '../../events/addresses/normal-form.js';
import { decode, unseal } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { startFollower, type Follower } from '../core/follower.js';
import type { Parts } from '../core/parts.js';
import { searchable } from '../orders/search.js';

export const ADDRESS_SEARCH = { name: 'address_search', version: 2, prefixes: [ADDRESS_PREFIX] } as const;

export interface AddressSearchOptions extends Parts<
  'log' | 'pool' | 'types' | 'keyRing' | 'index' | 'progress' | 'onError'
> {
  readonly owner: LeaseHolder;
  readonly keyOf: AddressKeyOf;
}

interface Text {
  readonly address_id: number;
  readonly subject: string;
  readonly business: number;
  readonly customer_id: number | null;
  readonly words: readonly number[];
  /** Hexadecimal. */
  readonly key: string;
}

/** The whole entry: the latest value of each member. `createdBy`: id of the event that created the entry. */
export type OpenedEntry = AddressOwner & {
  readonly id: number;
  readonly removed: boolean;
  readonly createdBy: string;
} & Partial<AddressEntry>;

export function startAddressSearch({ types, keyRing, index, keyOf, ...options }: AddressSearchOptions): Follower {
  const openEntries = createOpenEntries({ log: options.log, types, keyRing });
  return startFollower({
    ...options,
    reader: ADDRESS_SEARCH,
    background: true,
    async take(batch, commit) {
      const streams = [...new Set(batch.events.map(({ stream }) => stream))];
      if (streams.length === 0) return;
      const entries = await openEntries(streams);
      const gone = entries.filter(({ removed }) => removed).map(({ id }) => id);
      const texts = entries.filter(({ removed }) => !removed).map((entry) => textOf(entry, { index, keyOf }));
      await commit(async (db) => {
        await db.query('delete from address_search.texts where address_id = any ($1)', [gone]);
        await db.query('delete from address_search.keys where address_id = any ($1)', [gone]);
        // The lock prevents the keys from being destroyed between the check and the insert.
        await db.query(
          `with given as (select * from json_to_recordset($1) as g (address_id integer, subject text, business integer, customer_id integer, words int[], key text)),
                alive as (select g.* from given g join vault.subject_keys k on k.subject = g.subject and k.destroyed_at is null for share of k),
                known as (insert into address_search.keys as k (business, customer, key, address_id)
                          select business, coalesce(customer_id, 0), decode(key, 'hex'), address_id from alive where key <> '' order by address_id
                          on conflict (business, customer, key) do update set pending_since = null where k.address_id = excluded.address_id)
           insert into address_search.texts (address_id, subject, business, customer_id, words)
           select address_id, subject, business, customer_id, words from alive
           on conflict (address_id) do update set words = excluded.words`,
          [JSON.stringify(withoutDuplicates(texts))],
        );
      });
    },
  });
}

/** A statement may change the claim of an address only once. The oldest entry has it. */
function withoutDuplicates(texts: readonly Text[]): Text[] {
  const owners = new Map<string, number>();
  for (const { key, address_id } of texts) owners.set(key, Math.min(owners.get(key) ?? address_id, address_id));
  return texts.map((text) => ({ ...text, key: owners.get(text.key) === text.address_id ? text.key : '' }));
}

/** Reads whole entries from the log, with their personal data as far as their keys exist. */
export function createOpenEntries({ log, types, keyRing }: Parts<'log' | 'types' | 'keyRing'>) {
  return async (streams: readonly string[]): Promise<OpenedEntry[]> => {
    const [histories, keys] = await Promise.all([log.readMany(streams), keyRing.existing(streams)]);
    return [...histories.values()].flatMap((events) => openEntry(events, { types, keys }) ?? []);
  };
}

function openEntry(
  [first, ...later]: readonly StoredEvent[],
  { types, keys }: Parts<'types'> & { readonly keys: ReadonlyMap<string, Buffer> },
): OpenedEntry | undefined {
  if (!first) return undefined;
  const open = (event: StoredEvent) => unseal(decode(event, types), event.id, keys);
  const { address_id, business, customer_id = null, ...entry } = open(first) as unknown as AddressSavedData;
  return Object.assign(
    { id: address_id, business, customerId: customer_id, createdBy: first.id, ...entry },
    ...(later.map(open) as object[]),
    { removed: later.some(({ type }) => type === AddressRemoved.type) },
  ) as OpenedEntry;
}

/** The scope makes the hashes of a word different in each book. */
export const bookScope = ({ business, customerId }: AddressOwner): string => `book ${business} ${customerId ?? 0}`;

function textOf(entry: OpenedEntry, { index, keyOf }: Pick<AddressSearchOptions, 'index' | 'keyOf'>): Text {
  const { id, business, customerId, label, address = {} } = entry;
  const { name, company, street, street_2, postal_code, city, region } = address;
  return {
    address_id: id,
    subject: `${ADDRESS_PREFIX}${id}`,
    business,
    customer_id: customerId,
    words: index.ofWords(
      bookScope(entry),
      searchable([name, company, street, street_2, postal_code, city, region, label]),
    ),
    key: keyOf(entry, address).toString('hex'),
  };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'address_search',
    { 'address_search.texts': { address_id: number; business: number; customer_id: number | null; words: number[] } }
  > {}
}
