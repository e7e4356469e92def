/** Finds orders by a text that a user typed: numbers, names, phone numbers or addresses, with typing errors. */
import { sql } from 'kysely';
import type { BlindTrigrams } from '../../events/core/blind-trigrams.js';
import { trigramMatch } from '../core/trigram-match.js';
import { createRarestFirst } from '../core/trigram-frequencies.js';
import type { ReadableOrders } from './readable-orders.js';
import { compact, scopeOf, searchable } from './search.js';
import type { OrderViewer } from './viewer.js';

/** Minimum number of digits for a search by phone number. */
const MIN_PHONE_LENGTH = 5;

export function createFinding(orders: ReadableOrders, index: BlindTrigrams) {
  const rarestFirst = createRarestFirst(orders.database, {
    schema: 'order_search',
    table: 'texts',
    columns: ['person', 'address'],
  });

  async function find(query: string, limit: number, viewer: OrderViewer) {
    const searched = searchable([query]);
    const number = compact(searched)!;
    const person = trigramMatch(
      sql.ref('t.person'),
      await rarestFirst(index.ofWords(scopeOf('person', viewer.business), searched)),
    );
    // Phone numbers are stored as digits, which match at any position. Leading zeros are removed, because international
    // numbers omit them.
    const digits = searched.replace(/\D/g, '').replace(/^0+/, '');
    const phone =
      digits.length < MIN_PHONE_LENGTH
        ? sql<boolean>`false`
        : sql<boolean>`t.phone @> ${index.ofParts(scopeOf('phone', viewer.business), digits)}::int[]`;
    // Exact matches rank before similar ones.
    const score = sql<number>`greatest(
      case when t.numbers like ${`%${escaped(number)}%`} then 1 + word_similarity(${number}, t.numbers) end, case when t.numbers like ${`%${escaped(searched)}%`} then 1 + word_similarity(${searched}, t.numbers) end,
      word_similarity(${number}, t.numbers), ${person.score}, case when ${phone} then 1.5 end)`;
    const hits = await orders.database
      .selectFrom('order_search.texts as t')
      .where('t.business', '=', viewer.business)
      .where((or) =>
        or.or([
          sql<boolean>`t.numbers like ${`%${escaped(number)}%`}`,
          sql<boolean>`t.numbers like ${`%${escaped(searched)}%`}`,
          sql<boolean>`${number} <% t.numbers`,
          person.found,
          phone,
        ]),
      )
      .where('t.order_id', 'in', orders.seenBy(viewer).select('id'))
      .select(['t.order_id', score.as('score')])
      .orderBy('score', 'desc')
      .orderBy('t.order_id', 'desc')
      .limit(limit)
      .execute();
    const byId = await orders.byIds(
      hits.map(({ order_id }) => order_id),
      viewer,
    );
    return hits.flatMap(({ order_id, score: value }) =>
      byId.has(order_id) ? [{ order: byId.get(order_id)!, score: Number(value) }] : [],
    );
  }

  async function findByAddress(query: string, limit: number, viewer: OrderViewer) {
    const { score, found } = trigramMatch(
      sql.ref('t.address'),
      await rarestFirst(index.ofWords(scopeOf('address', viewer.business), searchable([query]))),
    );
    const hits = await orders.database
      .selectFrom('order_search.texts as t')
      .where('t.business', '=', viewer.business)
      .where(found)
      .where('t.order_id', 'in', orders.seenBy(viewer).select('id'))
      .select(['t.order_id', score.as('score')])
      .orderBy('score', 'desc')
      .orderBy('t.order_id', 'desc')
      .limit(limit)
      .execute();
    const byId = await orders.byIds(
      hits.map(({ order_id }) => order_id),
      viewer,
    );
    return hits.flatMap(({ order_id }) => byId.get(order_id) ?? []);
  }

  return { find, findByAddress };
}

/** Escapes a text for a LIKE pattern. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
