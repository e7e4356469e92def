/** The read model of a short list of a business (`events/core/keyed-list.ts`): one row per business. */
import { sql, type Kysely } from 'kysely';
import type { EventType } from '../../events/core/event-types.js';
import type { ItemKey, KeyedList } from '../../events/core/keyed-list.js';
import { integer, json, type Columns } from './columns.js';
import type { Database } from './database.js';
import type { Projection } from './projection.js';
import { startsWith, table } from './table.js';

export interface KeyedListTable<Item> extends KeyedList<Item> {
  /** Name of the read model, of its table, and of the column that contains the items. */
  readonly name: string;
  /** Increase it when the fold changes. */
  readonly version: number;
}

export interface KeyedListQueries<Item> {
  /** The items, sorted by key. */
  of(business: number): Promise<readonly Item[]>;
  byKey(business: number, key: ItemKey): Promise<Item | undefined>;
}

export interface KeyedListProjection<Item> extends Projection {
  readonly queries: (database: Kysely<Database>) => KeyedListQueries<Item>;
}

type Members = Readonly<Record<string, unknown>>;
/** Items by key. */
type Items<Item> = Readonly<Record<string, Item>>;

/** If the key is `id`, the column `id` holds the highest id so far. The sequence must not issue these ids again. */
export function keyedListTable<Item extends object>(definition: KeyedListTable<Item>): KeyedListProjection<Item> {
  const { name, version, prefix, key } = definition;
  const saved = definition.saved as unknown as EventType<Members>;
  const removed = definition.removed as unknown as EventType<Members>;
  const isNumbered = key === 'id';
  const columns: Columns = {
    business: integer(),
    ...(isNumbered && { id: integer() }),
    [name]: json<Items<Item>>(),
    revision: integer(),
  };
  const highest = (id: unknown, before: unknown) => (isNumbered ? { id: Math.max(Number(id), Number(before)) } : {});
  const itemsOf = (row: Members) => row[name] as Items<unknown>;

  const fold = startsWith<Members, Members>(saved, ({ business, ...item }, { revision }) => ({
    business,
    ...highest(item[key], 0),
    [name]: { [String(item[key])]: item },
    revision,
  }))
    .on(saved, ({ business: _business, ...item }, row) => ({
      ...highest(item[key], row['id']),
      [name]: { ...itemsOf(row), [String(item[key])]: item },
    }))
    .on(removed, (data, row) => {
      const { [String(data[key])]: _removed, ...others } = itemsOf(row);
      return { [name]: others };
    });
  const projection = table({ name, version, prefixes: [prefix], columns, key: 'business', fold: fold as never });
  return { ...(projection as Projection), queries: (database) => createQueries(database, definition) };
}

function createQueries<Item>(
  database: Kysely<Database>,
  { name, key }: Pick<KeyedListTable<Item>, 'name' | 'key'>,
): KeyedListQueries<Item> {
  async function itemsOf(business: number): Promise<Items<Item>> {
    const { rows } = await sql<{ readonly items: Items<Item> }>`
      select ${sql.ref(name)} as items from ${sql.table(`${name}.${name}`)} where business = ${business}
    `.execute(database);
    return rows[0]?.items ?? {};
  }
  return {
    of: async (business) => Object.values(await itemsOf(business)).sort((a, b) => (a[key] < b[key] ? -1 : 1)),
    async byKey(business, id) {
      const items = await itemsOf(business);
      return Object.hasOwn(items, id) ? items[id] : undefined;
    },
  };
}
