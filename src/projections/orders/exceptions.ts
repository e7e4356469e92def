/**
 * Scans that made an order an exception: a failed pick-up or delivery, a return, a rejection. They stay when the order
 * is delivered later, and disappear when the scan is superseded. One row per scan, in a table of the orders.
 */
import type { ClientBase } from 'pg';
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import type { StoredEvent } from '../../events/core/log.js';
import {
  ORDER_STATUSES,
  OrderStatusChanged,
  PackageEnded,
  PackageScanned,
  PackageScanSuperseded,
  statusOfCode,
  statusRow,
  type OrderStatus,
} from '../../events/orders/events.js';
import { arrayOf, insertRows, type Types } from '../../sql/rows.js';
import type { Database } from '../core/database.js';
import { openRows, sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';

export const EXCEPTION_STATUSES = ORDER_STATUSES.filter(({ exception }) => exception).map(({ status }) => status);

export interface OrderExceptionRow {
  readonly order_id: number;
  /** Event id of the scan; for a carrier's scan, id of the timeline's event. */
  readonly scan: string;
  readonly business: number;
  /** Time of the scan: UTC, with nine fraction digits. */
  readonly instant: string;
  /** The status that the scan reports. */
  readonly status: OrderStatus;
  /** OTEP code, and incident reason. */
  readonly status_code: string;
  readonly reason_code: string | null;
  readonly tracking_number: string;
  readonly driver_id: number | null;
  readonly sealed: SealedMembers[];
}

const COLUMNS = {
  order_id: 'integer',
  scan: 'text',
  business: 'integer',
  instant: 'text',
  status: 'text',
  status_code: 'text',
  reason_code: 'text',
  tracking_number: 'text',
  driver_id: 'integer',
  sealed: 'json',
} as const satisfies Types;

export const EXCEPTIONS_TABLE = `
  create table :schema.exceptions (
    order_id        integer not null,
    scan            text collate "C" not null,
    business        integer not null,
    instant         text collate "C" not null,
    status          text not null,
    status_code     text not null,
    reason_code     text,
    tracking_number text not null,
    driver_id       integer,
    sealed          json not null,
    primary key (order_id, scan)
  );
  create index on :schema.exceptions (business, instant);`;

/** The part of an order's row that the fold of exceptions needs. */
interface Folded {
  readonly id: number;
  readonly business: number;
  /** The exceptions that a batch adds, by the id of the scan; null: removed. */
  exceptions?: Map<string, OrderExceptionRow | null>;
}

type Scan = Pick<OrderExceptionRow, 'instant' | 'status_code' | 'tracking_number'> & {
  readonly scan?: string;
  readonly scan_id?: string;
  readonly reason_code?: string;
  readonly driver_id?: number;
};

/** Adds the exception of a scan to the row, or removes that of a superseded scan. */
export function takeException(row: Folded, event: StoredEvent): void {
  const data = event.data as unknown as Scan;
  if (event.type === PackageScanSuperseded.type) return void changed(row, data.scan_id!, null);
  const scan = scanOf(event, data);
  if (scan === undefined) return;
  const status = statusOfCode(data.status_code);
  if (status === undefined || !statusRow(status).exception) return;
  changed(row, scan, {
    order_id: row.id,
    scan,
    business: row.business,
    instant: data.instant,
    status,
    status_code: data.status_code,
    reason_code: data.reason_code ?? null,
    tracking_number: data.tracking_number,
    driver_id: data.driver_id ?? null,
    sealed: [sealedMembersOf(event)],
  });
}

/** The id of the scan that the event is or follows; undefined: the event is not another scan. */
function scanOf({ id, type }: StoredEvent, { scan }: Scan): string | undefined {
  if (type === PackageScanned.type) return id;
  return type === OrderStatusChanged.type || type === PackageEnded.type ? scan : undefined;
}

function changed(row: Folded, scan: string, exception: OrderExceptionRow | null): void {
  (row.exceptions ??= new Map()).set(scan, exception);
}

export async function saveExceptions(db: ClientBase, schema: string, rows: readonly Folded[]): Promise<void> {
  const changes = rows.flatMap(({ id, exceptions = [] }) =>
    [...exceptions].map(([scan, exception]) => ({ id, scan, exception })),
  );
  if (changes.length === 0) return;
  const removed = changes.filter(({ exception }) => exception === null);
  const added = changes.flatMap(({ exception }) => exception ?? []);
  await Promise.all([
    removed.length > 0 &&
      db.query(
        `delete from ${schema}.exceptions e using unnest($1::integer[], $2::text[]) n (order_id, scan) where e.order_id = n.order_id and e.scan = n.scan`,
        [
          arrayOf(
            'integer',
            removed.map(({ id }) => id),
          ),
          removed.map(({ scan }) => scan),
        ],
      ),
    insertRows(
      db,
      `${schema}.exceptions`,
      COLUMNS,
      added,
      `on conflict (order_id, scan) do update set ${Object.keys(COLUMNS)
        .filter((column) => column !== 'order_id' && column !== 'scan')
        .map((column) => `${column} = excluded.${column}`)
        .join(', ')}`,
    ),
  ]);
}

/** `from` is inclusive, `to` exclusive: UTC, with nine fraction digits. */
export interface ExceptionFilter {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly status?: OrderStatus | undefined;
}

export function filteredExceptions(database: Kysely<Database>, { from, to, status }: ExceptionFilter) {
  return database
    .selectFrom('orders.exceptions')
    .$if(from !== undefined, (query) => query.where('instant', '>=', from!))
    .$if(to !== undefined, (query) => query.where('instant', '<', to!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!));
}

/** An exception with its personal members, as far as their keys exist. */
export type OrderException = Omit<OrderExceptionRow, 'sealed'> & { readonly note?: string };

/** The exceptions of these orders, by order id, oldest first. */
export async function exceptionsOf(
  database: Kysely<Database>,
  keyRing: KeyRing,
  ids: readonly number[],
  filter: ExceptionFilter,
): Promise<ReadonlyMap<number, readonly OrderException[]>> {
  const rows = await filteredExceptions(database, filter)
    .selectAll()
    .where('order_id', 'in', [-1, ...ids])
    .orderBy('instant')
    .orderBy('scan')
    .execute();
  const found = new Map<number, OrderException[]>();
  for (const row of await openRows<{ readonly note?: string }, OrderExceptionRow>(rows, keyRing))
    found.set(row.order_id, [...(found.get(row.order_id) ?? []), row]);
  return found;
}
