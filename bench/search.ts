/**
 * Searches for an order in a large data set with typed text: hit rate and duration, compared with `pg_trgm` over the
 * same texts in plaintext. The rows are inserted as the follower of orders writes them.
 */
import type pg from 'pg';
import { createDatabase } from '../src/projections/core/database.js';
import { createOrderQueries } from '../src/projections/orders/queries.js';
import { scopeOf, searchable } from '../src/projections/orders/search.js';
import { seed } from './assignments.js';
import { withEngines } from './engines.js';
import { personOf, TYPED, type Person, type Typed } from './people.js';
import { median, type Databases } from './support.js';
import { count, ms, type Line } from './table.js';

/** Far above the ids that the seed assigns. */
const FIRST_ORDER = 10_000_000;
const AT_ONCE = 10_000;
const FOUND_AMONG = 10;

export interface SearchOptions {
  readonly orders: number;
  /** Searches of each kind. */
  readonly searches: number;
}

/** By kind of search text. */
const KINDS = [
  ...TYPED,
  ['phone as it is written at home', ({ phone }) => `0${phone.slice(3, 6)} / ${phone.slice(6, 9)} ${phone.slice(9)}`],
] as const satisfies readonly (readonly [string, Typed])[];

export async function measureSearch(databases: Databases, { orders, searches }: SearchOptions): Promise<Line[]> {
  const databaseUrl = await databases.fresh('search');
  const demo = await seed(databaseUrl);
  return withEngines(databaseUrl, async (engines, db) => {
    const business = await cloneOrders(db, demo.orders.assignable[0]!, orders);
    const people = await writeTexts(db, engines.searchIndex, business, orders);
    await db.query('analyze orders.orders');
    await db.query('vacuum analyze order_search.texts');
    await db.query('vacuum analyze clear.texts');
    const database = createDatabase(engines.pool);
    const { find } = createOrderQueries({ database, keyRing: engines.keyRing, index: engines.searchIndex });
    const blind = async (query: string) => (await find(query, FOUND_AMONG, { business })).map(({ order }) => order.id);
    const clear = async (query: string) =>
      (
        await engines.pool.query<{ order_id: number }>(
          `select order_id from clear.texts where business = $1 and $2 <% text order by word_similarity($2, text) desc, order_id desc limit ${FOUND_AMONG}`,
          [business, searchable([query])],
        )
      ).rows.map(({ order_id }) => order_id);
    const lines: Line[] = [];
    for (const [kind, ask] of KINDS) {
      const [ours, theirs] = [await tried(people, searches, ask, blind), await tried(people, searches, ask, clear)];
      lines.push({
        name: `Find one of ${count(orders)} orders by ${kind}`,
        value: `${ours.found} %, ${ms(ours.took)}, slowest ${ms(ours.slowest)}`,
        reference: `${theirs.found} %, ${ms(theirs.took)}, slowest ${ms(theirs.slowest)} pg_trgm over clear text`,
      });
    }
    const size = async (table: string): Promise<string> =>
      (await db.query<{ size: string }>('select pg_size_pretty(pg_total_relation_size($1)) as size', [table])).rows[0]!
        .size;
    lines.push({
      name: 'Table and index',
      value: await size('order_search.texts'),
      reference: `${await size('clear.texts')} pg_trgm over clear text`,
    });
    return lines;
  });
}

/** Inserts copies of an order's row under other ids and returns their business. */
async function cloneOrders(db: pg.Client, like: number, many: number): Promise<number> {
  await db.query(
    `insert into orders.orders select (jsonb_populate_record(o, jsonb_build_object('id', n))).*
       from orders.orders o cross join generate_series($2::int, $2::int + $3::int - 1) n where o.id = $1`,
    [like, FIRST_ORDER, many],
  );
  return (await db.query<{ business: number }>('select business from orders.orders where id = $1', [like])).rows[0]!
    .business;
}

type Index = Parameters<typeof createOrderQueries>[0]['index'];

async function writeTexts(db: pg.Client, index: Index, business: number, many: number): Promise<Person[]> {
  await db.query('create extension if not exists pg_trgm');
  await db.query('create schema clear');
  await db.query(
    'create table clear.texts (order_id integer primary key, business integer not null, text text not null)',
  );
  const people: Person[] = [];
  for (let from = 0; from < many; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, many - from) }, (_, n) => personOf(FIRST_ORDER + from + n));
    people.push(...some);
    await db.query(
      `insert into order_search.texts (order_id, subject, business, numbers, person, phone, address)
       select order_id, 'order-' || order_id, $2, numbers, person, phone, '{}' from json_to_recordset($1) as g (order_id integer, numbers text, person int[], phone int[])`,
      [
        JSON.stringify(
          some.map(({ id, number, name, phone }) => ({
            order_id: id,
            numbers: searchable([number]),
            person: index.ofWords(scopeOf('person', business), searchable([name])),
            phone: index.ofParts(scopeOf('phone', business), phone.replace(/\D/g, '')),
          })),
        ),
        business,
      ],
    );
    await db.query('insert into clear.texts select * from unnest($1::int[], $2::int[], $3::text[])', [
      some.map(({ id }) => id),
      some.map(() => business),
      some.map(({ number, name, phone }) => searchable([number, name, phone.replace(/\D/g, '')])),
    ]);
  }
  await db.query('create index on clear.texts using gin (text gin_trgm_ops)');
  return people;
}

/**
 * Returns the percentage of searches that found the intended person, and the durations in milliseconds. An order that
 * matches the same search text also counts as found.
 */
async function tried(
  people: readonly Person[],
  searches: number,
  ask: Typed,
  find: (query: string) => Promise<readonly number[]>,
) {
  const took: number[] = [];
  let found = 0;
  for (let turn = 0; turn < searches; turn++) {
    const query = ask(people[Math.floor((turn * people.length) / searches)]!);
    const began = performance.now();
    const hits = await find(query);
    took.push(performance.now() - began);
    if (hits.some((hit) => people[hit - FIRST_ORDER] && ask(people[hit - FIRST_ORDER]!) === query)) found++;
  }
  return { found: Math.round((100 * found) / searches), took: median(took), slowest: Math.max(...took) };
}
