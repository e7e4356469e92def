/**
 * The search index of orders. It is not a read model, because it needs keys, and projections fold only encrypted
 * events. A follower decrypts each order's names, phone numbers and addresses. It stores keyed hashes of their trigrams
 * next to the public numbers. The transaction that destroys the key also deletes the hashes (trigger in 0006 and 0019).
 * They are written only while the key exists.
 */
import { decode, unseal } from '../../events/core/codec.js';
import type { Batch } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import { ORDER_PREFIX, OrderCreated, orderSubject, type Package, type Stop } from '../../events/orders/events.js';
import { startFollower, type Follower } from '../core/follower.js';
import type { Parts } from '../core/parts.js';

export const ORDER_SEARCH = { name: 'order_search', version: 1, prefixes: [ORDER_PREFIX] } as const;

export interface OrderSearchOptions extends Parts<
  'log' | 'pool' | 'types' | 'keyRing' | 'index' | 'progress' | 'onError'
> {
  readonly owner: LeaseHolder;
}

interface Text {
  readonly order_id: number;
  readonly subject: string;
  readonly business: number;
  readonly numbers: string;
  /** Hashes from `BlindTrigrams`. */
  readonly person: readonly number[];
  readonly phone: readonly number[];
  readonly address: readonly number[];
}

export function startOrderSearch({ types, keyRing, index, ...options }: OrderSearchOptions): Follower {
  return startFollower({
    ...options,
    reader: ORDER_SEARCH,
    background: true,
    async take(batch, commit) {
      const texts = await textsOf(
        batch.events.filter(({ type }) => type === OrderCreated.type),
        { types, keyRing, index },
      );
      if (texts.length === 0) return;
      await commit((db) =>
        // The lock prevents the key from being destroyed between the check and the insert.
        db.query(
          `with given as (select * from json_to_recordset($1) as g (order_id integer, subject text, business integer, numbers text, person int[], phone int[], address int[])),
                alive as (select k.subject from vault.subject_keys k where k.subject in (select subject from given) and k.destroyed_at is null for share)
           insert into order_search.texts (order_id, subject, business, numbers, person, phone, address)
           select g.order_id, g.subject, g.business, g.numbers, case when a.subject is null then '{}' else g.person end,
                  case when a.subject is null then '{}' else g.phone end, case when a.subject is null then '{}' else g.address end from given g left join alive a on a.subject = g.subject
           on conflict (order_id) do update set numbers = excluded.numbers, person = excluded.person, phone = excluded.phone, address = excluded.address`,
          [JSON.stringify(texts)],
        ),
      );
    },
  });
}

async function textsOf(
  events: Batch['events'],
  { types, keyRing, index }: Pick<OrderSearchOptions, 'types' | 'keyRing' | 'index'>,
): Promise<Text[]> {
  const opened = events.map((event) => ({ event, data: decode(event, types) }));
  const keys = await keyRing.existing(opened.map(({ data }) => orderSubject(data['order_id'] as number)));
  return opened.map(({ event, data }) => {
    const { order_id, business, order_ref, packages, pickup, delivery } = unseal(data, event.id, keys) as unknown as {
      order_id: number;
      business: number;
      order_ref?: string;
      packages: Package[];
      pickup?: Stop;
      delivery?: Stop;
    };
    const numbers = packages.flatMap(({ tracking_number, external_tracking_number }) => [
      tracking_number,
      external_tracking_number,
    ]);
    return {
      order_id,
      subject: orderSubject(order_id),
      business,
      numbers: searchable([...numbers, order_ref, compact(order_ref)]),
      person: index.ofWords(
        scopeOf('person', business),
        searchable([delivery, pickup].flatMap((stop) => [stop?.name, stop?.company])),
      ),
      phone: index.ofParts(
        scopeOf('phone', business),
        searchable([delivery, pickup].map((stop) => stop?.phone?.replace(/\D/g, ''))),
      ),
      address: index.ofWords(
        scopeOf('address', business),
        searchable(
          [delivery, pickup].flatMap((stop) => [
            stop?.street,
            stop?.street_2,
            stop?.postal_code,
            stop?.city,
            stop?.region,
          ]),
        ),
      ),
    };
  });
}

/** Lower case with single spaces. The search query is normalized in the same way. */
export const searchable = (parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join(' ').toLowerCase().replace(/\s+/g, ' ').trim();
/** `PG-1` is also found as `PG1`. */
export const compact = (reference: string | undefined): string | undefined => reference?.replace(/[\s-]/g, '');

/** The scope makes the hashes of a word different for each business and each use (such as names and streets). */
export const scopeOf = (use: 'person' | 'phone' | 'address', business: number): string => `${use} ${business}`;

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'order_search',
    {
      'order_search.texts': {
        order_id: number;
        business: number;
        numbers: string;
        person: number[];
        phone: number[];
        address: number[];
      };
    }
  > {}
}
