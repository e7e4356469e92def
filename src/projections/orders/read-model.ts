/** The read model of orders: one row each, with its packages. What is personal stays sealed in it, event by event. */
import { sequence } from '../core/sequence.js';
import type { ClientBase } from 'pg';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import {
  AssignmentReleased,
  AssignmentRevoked,
  DeliveryInstructionChanged,
  ORDER_PREFIX,
  OrderAssigned,
  OrderCancelled,
  OrderCreated,
  OrderNoteChanged,
  OrderPlanningSet,
  OrderPutOnRoute,
  OrderStatusChanged,
  OrderTakenOffRoute,
  OrderWarehouseSet,
  orderPlanningSchema,
  orderStatusId,
  PackageEnded,
  PackageScanned,
  statusAfter,
  statusRow,
  ThirdPartyReturnedOrder,
  ThirdPartyTookOrder,
  TimeWindowChanged,
  trackingOfPackage,
  type OrderPlanning,
  type OrderStatus,
  type OrderType,
  type Package,
  type TimeWindow,
} from '../../events/orders/events.js';
import { arrayOf, insertRows, updateRows, type Types } from '../../sql/rows.js';
import type { Projection } from '../core/projection.js';

/** Ids of orders. */
export const ORDER_IDS = sequence('orders', { readModel: 'orders', table: 'orders.orders' });

/** An event's data as it is stored, still sealed, with the event's id, which the seal is bound to. */
export interface KeptEvent {
  readonly id: string;
  readonly data: JsonObject;
}

export interface OrderRow {
  readonly id: number;
  readonly business: number;
  readonly type: OrderType;
  readonly order_ref: string | null;
  readonly customer_id: number | null;
  schedule_date: string | null;
  readonly self_delivery: boolean;
  status: OrderStatus;
  /** When it came into the status: RFC 3339, UTC. */
  status_since: string;
  status_id: number;
  /** Failed, returned and the like: wants attention. */
  exception: boolean;
  route_id: number | null;
  /** Of the active assignment. */
  assignment_id: number | null;
  broker_id: number | null;
  third_party: string | null;
  third_party_since: string | null;
  /** Of the newest scan that its stream knows: UTC, with nine fraction digits. */
  last_scan_at: string | null;
  /** OTEP code, and incident reason. */
  last_scan_code: string | null;
  last_scan_reason: string | null;
  /** Who scanned it on the road. */
  last_scan_driver: number | null;
  /** Its own: where it starts or ends. */
  warehouse_id: number | null;
  /** What plans want to know of it; null: nothing was said. */
  planning: OrderPlanning | null;
  readonly replaces: number | null;
  replaced_by: number | null;
  readonly created_by: number | null;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  updated_at: string;
  revision: number;
  /** Area of the pick-up and of the delivery. */
  readonly pickup_postal_code: string | null;
  readonly delivery_postal_code: string | null;
  packages: (Package & { last_scan?: string })[];
  time_windows: TimeWindow[];
  /** When the first of its windows ends, `HH:MM`. */
  first_window_end: string | null;
  readonly created: KeptEvent;
  /** The latest change; null: as it was created. */
  instruction: KeptEvent | null;
  note: KeptEvent | null;
}

/** With what the tables say of it before the batch; absent: created in the batch. */
type FoldedOrder = OrderRow & { readonly was?: Partial<OrderRow> };

const TABLES = `
  create table :schema.orders (
    id            integer primary key,
    business      integer not null,
    type          text not null,
    order_ref     text collate "C",
    customer_id   integer,
    schedule_date text collate "C",
    self_delivery boolean not null,
    status        text not null,
    status_since  text collate "C" not null,
    status_id     integer not null,
    exception     boolean not null,
    route_id      integer,
    assignment_id integer,
    broker_id     integer,
    third_party   text,
    third_party_since text collate "C",
    last_scan_at     text collate "C",
    last_scan_code   text,
    last_scan_reason text,
    last_scan_driver integer,
    warehouse_id  integer,
    planning      json,
    replaces      integer,
    replaced_by   integer,
    created_by    integer,
    created_at    text collate "C" not null,
    updated_at    text collate "C" not null,
    revision      integer not null,
    pickup_postal_code   text collate "C",
    delivery_postal_code text collate "C",
    packages      json not null,
    time_windows  json not null,
    first_window_end text collate "C",
    created       json not null,
    instruction   json,
    note          json
  )
  -- An order changes again and again: where its next version finds room on its page, no index needs a new entry.
  with (fillfactor = 50);
  create index on :schema.orders (business, id);
  create index on :schema.orders (business, schedule_date, id);
  create index on :schema.orders (business, status, id);
  create index on :schema.orders (business, order_ref) where order_ref is not null;
  create index on :schema.orders (route_id) where route_id is not null;
  create index on :schema.orders (business, customer_id, id) where customer_id is not null;
  -- The orders of a contractor, beside them: an index would have an assignment write to all the others, too.
  create table :schema.contractor_orders (
    broker_id integer,
    order_id  integer,
    primary key (broker_id, order_id)
  );
  -- Whose package a number, or a tracking of the timeline, is.
  create table :schema.packages (
    tracking_number text collate "C" primary key,
    tracking        uuid not null,
    order_id        integer not null,
    external_tracking_number text collate "C"
  );
  create index on :schema.packages (tracking);
  create index on :schema.packages (external_tracking_number) where external_tracking_number is not null;`;

export const orders: Projection<FoldedOrder> = {
  name: 'orders',
  version: 4,
  prefixes: [ORDER_PREFIX],
  tables: TABLES,
  keyOf: (event) => event.stream.slice(ORDER_PREFIX.length),
  rowPerStream: true,
  fold: foldOrder,
  load,
  save,
};

/** Pure and total: facts that the types of today do not know are passed over. */
export function foldOrder(row: FoldedOrder | undefined, event: StoredEvent): FoldedOrder {
  if (!row) return created(event);
  const data = event.data as Readonly<Record<string, never>>;
  row.revision = event.revision;
  row.updated_at = event.metadata['recorded_at'] as string;
  moveTo(row, statusAfter(event.type, data));
  takeScan(row, event);
  if (OF_PACKAGES.has(event.type))
    row.packages = row.packages.map((one) =>
      one.tracking_number === data['tracking_number'] ? { ...one, last_scan: data['status_code']! } : one,
    );
  switch (event.type) {
    case OrderCancelled.type:
      row.replaced_by = (event.data['replacement'] as { readonly order_id: number } | undefined)?.order_id ?? null;
      break;
    case DeliveryInstructionChanged.type:
      row.instruction = kept(event);
      break;
    case OrderNoteChanged.type:
      row.note = kept(event);
      break;
    case TimeWindowChanged.type:
      if (data['time_windows']) {
        row.time_windows = data['time_windows'];
        row.first_window_end = firstEnd(row.time_windows);
      }
      row.schedule_date = data['schedule_date'] ?? row.schedule_date;
      break;
    case OrderPutOnRoute.type:
      row.route_id = data['route_id']!;
      break;
    case OrderTakenOffRoute.type:
      row.route_id = null;
      break;
    case OrderPlanningSet.type:
      row.planning = orderPlanningSchema.parse(data);
      break;
    case OrderWarehouseSet.type:
      row.warehouse_id = data['warehouse_id']!;
      break;
    case OrderAssigned.type:
      row.assignment_id = data['assignment_id']!;
      row.broker_id = data['broker_id']!;
      break;
    case AssignmentRevoked.type:
    case AssignmentReleased.type:
      row.assignment_id = row.broker_id = null;
      break;
    case ThirdPartyTookOrder.type:
      row.third_party = data['provider']!;
      row.third_party_since = row.updated_at;
      break;
    case ThirdPartyReturnedOrder.type:
      row.third_party = row.third_party_since = null;
      break;
  }
  return row;
}

function created(event: StoredEvent): OrderRow {
  if (event.type !== OrderCreated.type) throw new Error(`${event.type} stands before OrderCreated.`);
  const data = event.data as unknown as OrderRow & {
    order_id: number;
    replaces?: number;
    pickup?: { postal_code?: string };
    delivery?: { postal_code?: string };
  };
  const recorded_at = event.metadata['recorded_at'] as string;
  const {
    order_id,
    business,
    type,
    order_ref = null,
    customer_id = null,
    schedule_date = null,
    self_delivery,
    created_by = null,
    replaces = null,
    packages,
    time_windows,
    pickup,
    delivery,
  } = data;
  return {
    id: order_id,
    business,
    type,
    order_ref,
    customer_id,
    schedule_date,
    self_delivery,
    status: 'NEW_ORDER',
    status_since: recorded_at,
    status_id: orderStatusId('NEW_ORDER'),
    exception: false,
    route_id: null,
    assignment_id: null,
    broker_id: null,
    third_party: null,
    third_party_since: null,
    last_scan_at: null,
    last_scan_code: null,
    last_scan_reason: null,
    last_scan_driver: null,
    warehouse_id: null,
    planning: null,
    replaces,
    replaced_by: null,
    created_by,
    created_at: recorded_at,
    updated_at: recorded_at,
    revision: event.revision,
    pickup_postal_code: pickup?.postal_code ?? null,
    delivery_postal_code: delivery?.postal_code ?? null,
    packages,
    time_windows,
    first_window_end: firstEnd(time_windows),
    created: kept(event),
    instruction: null,
    note: null,
  };
}

function moveTo(row: OrderRow, status: OrderStatus | undefined): void {
  if (!status || status === row.status) return;
  row.status = status;
  row.status_since = row.updated_at;
  row.status_id = orderStatusId(status);
  row.exception = statusRow(status).exception;
}

/** A scan that the event tells; a carrier's where it moved the order, or ended a package. Late ones are not the newest. */
function takeScan(row: OrderRow, { type, data }: StoredEvent): void {
  if (type !== PackageScanned.type && data['scan'] === undefined) return;
  const { status_code, instant, reason_code = null, driver_id = null } = data as unknown as ScanData;
  if (instant < (row.last_scan_at ?? '')) return;
  row.last_scan_at = instant;
  row.last_scan_code = status_code;
  row.last_scan_reason = reason_code;
  row.last_scan_driver = driver_id;
}

interface ScanData {
  readonly status_code: string;
  readonly instant: string;
  readonly reason_code?: string;
  readonly driver_id?: number;
}

const firstEnd = (windows: readonly TimeWindow[]): string | null => windows.map(({ to }) => to).sort()[0] ?? null;

const kept = ({ id, data }: StoredEvent): KeptEvent => ({ id, data });

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
} as const satisfies Types;
type Changing = keyof typeof CHANGING;
const COLUMNS = Object.keys(CHANGING) as Changing[];

/** Rows with the same members in the same order are told apart faster than rows with some of them. */
const UNREAD = Object.fromEntries(COLUMNS.map((column) => [column, undefined]));
/** What is read of an order that there is already: what is only ever replaced is not. */
const KNOWN = ['id', 'broker_id', 'status'] as const satisfies readonly (keyof OrderRow)[];
/** Only these change packages and the newest scan, from what they were: for others they are not read. */
const OF_PACKAGES: ReadonlySet<string> = new Set([PackageScanned.type, PackageEnded.type, OrderStatusChanged.type]);

async function load(
  db: ClientBase,
  schema: string,
  keys: readonly string[],
  batch: readonly StoredEvent[],
): Promise<ReadonlyMap<string, FoldedOrder>> {
  const columns = batch.some(({ type }) => OF_PACKAGES.has(type)) ? [...KNOWN, 'packages', 'last_scan_at'] : KNOWN;
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

async function save(db: ClientBase, schema: string, changed: ReadonlyMap<string, FoldedOrder>): Promise<void> {
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

declare module '../core/projection.js' {
  interface ReadModels {
    orders: true;
  }
  interface Tables {
    'orders.orders': OrderRow;
    'orders.contractor_orders': { broker_id: number; order_id: number };
    'orders.packages': {
      tracking_number: string;
      tracking: string;
      order_id: number;
      external_tracking_number: string | null;
    };
  }
}
