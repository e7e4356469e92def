/** Loads and saves rows of orders: of those that there are already only what changed is written. */
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../../events/core/log.js';
import { trackingOfPackage } from '../../events/orders/events.js';
import { arrayOf, insertRows, updateRows, type Types } from '../../sql/rows.js';
import { PACKAGE_EVENTS } from './fold.js';
import type { FoldedOrder, OrderRow } from './row.js';

/** What stays as its first event has it, with its type. */
const LASTING = {
  id: 'integer',
  business: 'integer',
  type: 'text',
  order_ref: 'text',
  customer_id: 'integer',
  self_delivery: 'boolean',
  replaces: 'integer',
  created_by: 'integer',
  created_at: 'text',
  pickup_postal_code: 'text',
  delivery_postal_code: 'text',
  created: 'json',
} as const satisfies Types;
/** What may change. */
const CHANGING = {
  schedule_date: 'text',
  status: 'text',
  status_since: 'text',
  status_id: 'integer',
  exception: 'boolean',
  route_id: 'integer',
  assignment_id: 'integer',
  broker_id: 'integer',
  third_party: 'text',
  third_party_since: 'text',
  last_scan_at: 'text',
  last_scan_code: 'text',
  last_scan_reason: 'text',
  last_scan_driver: 'integer',
  warehouse_id: 'integer',
  planning: 'json',
  replaced_by: 'integer',
  updated_at: 'text',
  revision: 'integer',
  packages: 'json',
  time_windows: 'json',
  first_window_end: 'text',
  instruction: 'json',
  note: 'json',
  pickup_located: 'json',
  delivery_located: 'json',
} as const satisfies Types;
type Changing = keyof typeof CHANGING;
const COLUMNS = Object.keys(CHANGING) as Changing[];

/** Rows with the same members in the same order are told apart faster than rows with some of them. */
const UNREAD = Object.fromEntries(COLUMNS.map((column) => [column, undefined]));
/** What is read of an order that there is already: what is only ever replaced is not. */
const KNOWN = ['id', 'broker_id', 'status'] as const satisfies readonly (keyof OrderRow)[];
export async function load(
  db: ClientBase,
  schema: string,
  keys: readonly string[],
  batch: readonly StoredEvent[],
): Promise<ReadonlyMap<string, FoldedOrder>> {
  const columns = batch.some(({ type }) => PACKAGE_EVENTS.has(type)) ? [...KNOWN, 'packages', 'last_scan_at'] : KNOWN;
  const { rows } = await db.query<OrderRow>(`select ${columns.join(', ')} from ${schema}.orders where id = any ($1)`, [
    keys,
  ]);
  return new Map(
    rows.map((row) => {
      const was = { ...UNREAD, ...row };
      return [String(row.id), { ...was, was }];
    }),
  );
}

export async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, FoldedOrder>): Promise<void> {
  const rows = [...changed.values()];
  const statements = [
    ...update(
      db,
      schema,
      rows.filter(({ was }) => was),
    ),
    ...insert(
      db,
      schema,
      rows.filter(({ was }) => !was),
    ),
  ];
  const moved = rows.filter(({ broker_id, was }) => broker_id !== (was?.broker_id ?? null));
  const gone = moved.filter(({ was }) => was?.broker_id != null);
  if (gone.length > 0) {
    statements.push(
      db.query(
        `delete from ${schema}.contractor_orders c using unnest($1::integer[], $2::integer[]) n (broker_id, order_id) where c.broker_id = n.broker_id and c.order_id = n.order_id`,
        [
          arrayOf(
            'integer',
            gone.map(({ was }) => was!.broker_id),
          ),
          arrayOf(
            'integer',
            gone.map(({ id }) => id),
          ),
        ],
      ),
    );
  }
  const come = moved
    .filter(({ broker_id }) => broker_id !== null)
    .map(({ broker_id, id }) => ({ broker_id, order_id: id }));
  statements.push(insertRows(db, `${schema}.contractor_orders`, { broker_id: 'integer', order_id: 'integer' }, come));
  await Promise.all(statements);
}

/** What changed in the batch, one statement for all orders of which the same did. */
function update(db: ClientBase, schema: string, known: readonly FoldedOrder[]): Promise<unknown>[] {
  const alike = new Map<string, FoldedOrder[]>();
  for (const row of known) {
    const changed = COLUMNS.filter((column) => row[column] !== row.was![column]).join();
    const rows = alike.get(changed);
    if (rows) rows.push(row);
    else alike.set(changed, [row]);
  }
  return [...alike].map(([changed, rows]) =>
    updateRows(
      db,
      `${schema}.orders`,
      'id',
      Object.fromEntries(
        (changed.split(',') as Changing[]).map((column) => [column, CHANGING[column]]),
      ) as Types<Changing>,
      rows,
    ),
  );
}

function insert(db: ClientBase, schema: string, fresh: readonly OrderRow[]): Promise<unknown>[] {
  if (fresh.length === 0) return [];
  const packages = fresh.flatMap(({ id, business, packages }) =>
    packages.map(({ tracking_number, external_tracking_number = null }) => ({
      tracking_number,
      tracking: trackingOfPackage(business, tracking_number),
      order_id: id,
      external_tracking_number,
    })),
  );
  return [
    insertRows(db, `${schema}.orders`, { ...LASTING, ...CHANGING }, fresh),
    insertRows(
      db,
      `${schema}.packages`,
      { tracking_number: 'text', tracking: 'uuid', order_id: 'integer', external_tracking_number: 'text' },
      packages,
      'on conflict (tracking_number) do nothing',
    ),
  ];
}
