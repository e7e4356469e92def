/**
 * Searches for records by words and by conditions in a large dataset, over HTTP. The rows are inserted as the read
 * model and the follower of records write them.
 */
import type pg from 'pg';
import { searchScope, trigramsOf } from '../src/projections/datasets/search.js';
import { withEngines } from './engines.js';
import { ask, type Client } from './http.js';
import { personOf, TYPED, type Person } from './people.js';
import { quantile } from './support.js';
import { count, ms, type Line } from './table.js';

/** Far above the ids that the service assigns. */
const FIRST = 10_000_000;
const AT_ONCE = 10_000;
const CITIES = 1_000;
const WARM_UP = 5;

interface SearchRequest {
  readonly name: string;
  /** Returns the request body of a search for this person. */
  readonly body: (person: Person) => object;
}

const is = (column: string, value: unknown) => ({ filters: [{ column, op: 'eq', value }] });
const KINDS: readonly SearchRequest[] = [
  ...TYPED.map(([name, typed]) => ({ name, body: (person: Person) => ({ q: typed(person) }) })),
  { name: 'the key', body: ({ number }) => is('ref', number) },
  { name: 'a city of a thousand', body: ({ id }) => is('city', cityOf(id)) },
  { name: 'nothing: the first page', body: () => ({}) },
];

export interface DatasetSearchOptions {
  readonly databaseUrl: string;
  readonly client: Client;
  /** Target dataset; it has the columns `ref`, `name`, `city` and `size`. */
  readonly dataset: number;
  readonly records: number;
  /** Number of searches of each kind. */
  readonly searches: number;
}

export async function measureDatasetSearch({
  databaseUrl,
  client,
  dataset,
  records,
  searches,
}: DatasetSearchOptions): Promise<Line[]> {
  await preload(databaseUrl, dataset, records);
  const lines: Line[] = [];
  for (const { name, body } of KINDS) {
    const took: number[] = [];
    let found = 0;
    for (let turn = -WARM_UP; turn < searches; turn++) {
      const person = personOf(FIRST + Math.floor(((turn + WARM_UP) * records) / (searches + WARM_UP)));
      const began = performance.now();
      const answer = await ask(client, 'POST', `/datasets/${dataset}/search`, body(person));
      if (turn < 0) continue;
      took.push(performance.now() - began);
      if (Number(answer['total']) > 0) found++;
    }
    lines.push({
      name: `Search ${count(records)} records by ${name}, p95`,
      value: ms(quantile(took, 0.95)),
      reference: `${ms(quantile(took, 0.5))} median, ${Math.round((100 * found) / searches)} % found something`,
      goal: '120 ms',
    });
  }
  return lines;
}

const cityOf = (id: number): string => `City ${id % CITIES}`;

const preload = (databaseUrl: string, dataset: number, many: number): Promise<void> =>
  withEngines(databaseUrl, async ({ searchIndex }, db) => {
    const scope = searchScope(dataset);
    const rebuilt = await withoutIndexes(db, ['records.records', 'dataset_search.texts']);
    for (let from = 0; from < many; from += AT_ONCE) {
      const rows = Array.from({ length: Math.min(AT_ONCE, many - from) }, (_, n) => {
        const { id, number, name } = personOf(FIRST + from + n);
        const fields = { ref: number, name, city: cityOf(id), size: id % 1_000 };
        return { id, fields, open: trigramsOf(searchIndex, scope, fields) };
      });
      await db.query(
        `with given as (select gen_random_uuid() as uuid, * from json_to_recordset($1) as g (id integer, fields jsonb, open int[])),
            texts as (insert into dataset_search.texts (record, subject, dataset_id, open, personal)
                      select uuid, 'record-' || uuid, $2, open, '{}' from given)
       insert into records.records (uuid, id, business, dataset_id, version, fields, sealed, removed, updated_at, revision)
       select uuid, given.id, d.business, $2, 1, fields, '[]', false, d.updated_at, 0 from given, datasets.datasets d where d.id = $2`,
        [JSON.stringify(rows), dataset],
      );
    }
    await rebuilt();
    // Same state of the tables as after autovacuum in a service that has run for a while.
    await db.query('vacuum analyze records.records');
    await db.query('vacuum analyze dataset_search.texts');
  });

/** Drops the non-unique indexes for fast inserts; the returned function creates them again. */
async function withoutIndexes(db: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await db.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
       from pg_index where indrelid = any ($1::regclass[]) and not indisunique`,
    [tables],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return async () => {
    await db.query("set maintenance_work_mem = '512MB'");
    for (const { made } of rows) await db.query(made);
  };
}
