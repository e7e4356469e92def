/**
 * The search index of customer accounts, like the one of orders (projections/orders/search.ts). A follower decrypts
 * names and phone numbers, and writes keyed hashes of their trigrams. The transaction that destroys the key of an
 * account also deletes its row (trigger in migration 0210). Rows are written only while the key exists.
 */
import {
  ACCOUNT_PREFIX,
  AccountChanged,
  AccountOpened,
  accountSubject,
  type UserRole,
} from '../../events/accounts/events.js';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { decode, unseal } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { startFollower, type Follower } from '../core/follower.js';
import type { Parts } from '../core/parts.js';

export const CUSTOMER_SEARCH = { name: 'customer_search', version: 1, prefixes: [ACCOUNT_PREFIX] } as const;

/** The searched members of an account. Absent members are unchanged. */
interface Person {
  readonly name?: string;
  readonly phone?: string;
}
/** `business`: absent if the account was opened in an earlier batch. */
interface Changed extends Person {
  readonly business?: number;
}

/** The scope makes the hashes of a word different for each business and use. */
const scopeOf = (use: 'name' | 'phone', business: number): string => `customer ${use} ${business}`;
const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

export function startCustomerSearch({
  types,
  keyRing,
  index,
  ...options
}: Parts<'log' | 'pool' | 'types' | 'keyRing' | 'index' | 'progress' | 'onError'> & {
  readonly owner: LeaseHolder;
}): Follower {
  return startFollower({
    ...options,
    reader: CUSTOMER_SEARCH,
    background: true,
    async take({ events }, commit) {
      const changed = await changedIn(events, { types, keyRing });
      if (changed.size === 0) return;
      await commit(async (db) => {
        // The lock prevents the keys from being destroyed between the check and the write.
        const { rows: alive } = await db.query<{ subject: string }>(
          'select subject from vault.subject_keys where subject = any ($1) and destroyed_at is null for share',
          [[...changed.keys()].map(accountSubject)],
        );
        const subjects = new Set(alive.map(({ subject }) => subject));
        const { rows: known } = await db.query<{ id: number; business: number }>(
          'select id, business from customer_search.texts where id = any ($1)',
          [[...changed.keys()]],
        );
        const businesses = new Map(known.map(({ id, business }) => [id, business]));
        const texts = [...changed].flatMap(([id, { business = businesses.get(id), ...person }]) =>
          // Only accounts of customers have a row.
          business === undefined || !subjects.has(accountSubject(id))
            ? []
            : [{ id, business, ...hashesOf(index, business, person) }],
        );
        await db.query(
          `insert into customer_search.texts (id, business, name, phone)
           select id, business, name, phone
             from json_to_recordset($1) as g (id integer, business integer, name int[], phone int[])
           on conflict (id) do update set
             name = coalesce(excluded.name, texts.name), phone = coalesce(excluded.phone, texts.phone)`,
          [JSON.stringify(texts)],
        );
      });
    },
  });
}

/** The customers that the events open, and the accounts whose names or phone numbers they change. */
async function changedIn(
  events: readonly StoredEvent[],
  { types, keyRing }: Parts<'types' | 'keyRing'>,
): Promise<ReadonlyMap<number, Changed>> {
  const about = events.filter(({ type }) => type === AccountOpened.type || type === AccountChanged.type);
  const keys = await keyRing.existing(about.map(({ stream }) => stream));
  const changed = new Map<number, Changed>();
  for (const event of about) {
    const id = Number(event.stream.slice(ACCOUNT_PREFIX.length));
    const { role, business_id, name, phone } = unseal(decode(event, types), event.id, keys) as Person & {
      readonly role?: UserRole;
      readonly business_id?: number;
    };
    if (event.type === AccountOpened.type && (role !== 'customer' || business_id === undefined)) continue;
    changed.set(id, {
      ...changed.get(id),
      ...(business_id !== undefined && { business: business_id }),
      ...(name !== undefined && { name }),
      ...(phone !== undefined && { phone }),
    });
  }
  return changed;
}

const hashesOf = (index: BlindTrigrams, business: number, { name, phone }: Person) => ({
  ...(name !== undefined && { name: index.ofWords(scopeOf('name', business), name) }),
  ...(phone !== undefined && { phone: index.ofParts(scopeOf('phone', business), digitsOf(phone)) }),
});

/** Minimum number of digits for a search by phone number. */
const MIN_PHONE_LENGTH = 5;
/** A shorter word has no inner trigram, so it is compared as a whole word. */
const MIN_PART_LENGTH = 3;

/** The hashes that a customer with this name, or with this phone number, has. Empty: no customer is found this way. */
export function searchedHashes(index: BlindTrigrams, query: string, business: number) {
  const scope = scopeOf('name', business);
  const words = query.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  const name = words.flatMap((word) =>
    [...word].length < MIN_PART_LENGTH ? index.ofWords(scope, word) : index.ofParts(scope, word),
  );
  // Leading zeros are removed, because international numbers omit them.
  const digits = /^[\d\s()+./-]+$/.test(query) ? digitsOf(query).replace(/^0+/, '') : '';
  const phone = digits.length < MIN_PHONE_LENGTH ? [] : index.ofParts(scopeOf('phone', business), digits);
  return { name: [...new Set(name)], phone };
}

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'customer_search',
    { 'customer_search.texts': { id: number; business: number; name: number[] | null; phone: number[] | null } }
  > {}
}
