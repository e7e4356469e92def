/** Loads and saves rows of orders, with their packages and contractors. */
import type { ClientBase } from 'pg';
import { trackingOfPackage } from '../../events/orders/events.js';
import { arrayOf, insertRows, type Types } from '../../sql/rows.js';
import { saveExceptions } from './exceptions.js';
import type { FoldedOrder, OrderRow } from './row.js';

/** Columns that never change after the first event, with their types. */
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
/** Columns that may change. */
const CHANGING = {
  schedule_date: 'text',
  status: 'text',
  status_since: 'text',
  status_id: 'integer',
  hold_reason: 'text',
  exception: 'boolean',
  route_id: 'integer',
  assignment_id: 'integer',
  broker_id: 'integer',
  third_party: 'text',
  third_party_since: 'text',
  offered_until: 'text',
  free_since: 'text',
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
  returned: 'json',
  pickup_located: 'json',
  delivery_located: 'json',
} as const satisfies Types;

/** An update writes all changing columns. Writing only the changed ones needs more code without a benefit. */
const CHANGE = `on conflict (id) do update set ${Object.keys(CHANGING)
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

export async function load(
  db: ClientBase,
  schema: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, FoldedOrder>> {
  const { rows } = await db.query<OrderRow>(`select * from ${schema}.orders where id = any ($1)`, [keys]);
  return new Map(rows.map((row) => [String(row.id), { ...row, was: { broker_id: row.broker_id } }]));
}

export async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, FoldedOrder>): Promise<void> {
  const rows = [...changed.values()];
  const moved = rows.filter(({ broker_id, was }) => broker_id !== (was?.broker_id ?? null));
  const gone = moved.filter(({ was }) => was?.broker_id != null);
  const come = moved
    .filter(({ broker_id }) => broker_id !== null)
    .map(({ broker_id, id }) => ({ broker_id, order_id: id }));
  await Promise.all([
    insertRows(db, `${schema}.orders`, { ...LASTING, ...CHANGING }, rows, CHANGE),
    insertPackages(
      db,
      schema,
      rows.filter(({ was }) => !was),
    ),
    gone.length > 0 &&
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
    insertRows(db, `${schema}.contractor_orders`, { broker_id: 'integer', order_id: 'integer' }, come),
    saveExceptions(db, schema, rows),
  ]);
}

function insertPackages(db: ClientBase, schema: string, fresh: readonly OrderRow[]): Promise<void> {
  const packages = fresh.flatMap(({ id, business, packages }) =>
    packages.map(({ tracking_number, external_tracking_number = null }) => ({
      tracking_number,
      tracking: trackingOfPackage(business, tracking_number),
      order_id: id,
      external_tracking_number,
    })),
  );
  return insertRows(
    db,
    `${schema}.packages`,
    { tracking_number: 'text', tracking: 'uuid', order_id: 'integer', external_tracking_number: 'text' },
    packages,
    'on conflict (tracking_number) do nothing',
  );
}
