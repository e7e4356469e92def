/** Counts the orders that were created from each entry of an address book. The use of an entry is not an event. */
import type { StoredEvent } from '../../events/core/log.js';
import { ORDER_PREFIX, OrderCreated, type NewOrderData } from '../../events/orders/events.js';
import { insertRows } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';
import { NO_ROW, recordedAt } from '../core/table.js';

/** An order that was created from entries. */
interface Use {
  readonly address_ids: readonly number[];
  readonly used_at: string;
}

/** The entries that the stops of a new order were copied from, each once. */
function usedIn({ type, data }: StoredEvent): number[] {
  if (type !== OrderCreated.type) return [];
  const { pickup_address_id, delivery_address_id } = data as unknown as NewOrderData;
  return [...new Set([pickup_address_id ?? [], delivery_address_id ?? []].flat())];
}

const CONFLICT = `on conflict (id) do update set orders_count = u.orders_count + excluded.orders_count,
  last_used_at = greatest(u.last_used_at, excluded.last_used_at)`;

export const addressUses: Projection<Use | undefined> = {
  name: 'address_uses',
  version: 1,
  prefixes: [ORDER_PREFIX],
  background: 1_000,
  tables: `create table :schema.uses (
    -- Id of the entry.
    id           integer primary key,
    orders_count integer not null,
    last_used_at text collate "C" not null
  );`,
  keyOf: (event) => (usedIn(event).length > 0 ? event.stream : NO_ROW),
  rowPerStream: false,
  makesRow: () => true,
  fold: (use, event) => {
    const address_ids = usedIn(event);
    return address_ids.length > 0 ? { address_ids, used_at: recordedAt(event) } : use;
  },
  // Each order is counted once, when it is created: no earlier row of an order exists.
  load: () => Promise.resolve(new Map()),
  async save(db, schema, changed) {
    const counts = new Map<number, { id: number; orders_count: number; last_used_at: string }>();
    for (const use of changed.values())
      for (const id of use?.address_ids ?? []) {
        const { orders_count = 0, last_used_at = '' } = counts.get(id) ?? {};
        const latest = use!.used_at > last_used_at ? use!.used_at : last_used_at;
        counts.set(id, { id, orders_count: orders_count + 1, last_used_at: latest });
      }
    const types = { id: 'integer', orders_count: 'integer', last_used_at: 'text' } as const;
    await insertRows(db, `${schema}.uses as u`, types, [...counts.values()], CONFLICT);
  },
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<
    'address_uses',
    { 'address_uses.uses': { id: number; orders_count: number; last_used_at: string } }
  > {}
}
