/** The read model of bills: one row for each order with a price. */
import {
  BILL_EVENTS,
  ChargesSet,
  PaymentBegun,
  PaymentReceived,
  RefundBegun,
  type Charge,
} from '../../events/bill/events.js';
import { evolveBill, NO_BILL, paymentStatus, type Bill, type PaymentStatus } from '../../events/bill/state.js';
import type { EventType } from '../../events/core/event-types.js';
import type { StoredEvent } from '../../events/core/log.js';
import { ORDER_PREFIX, orderIdOf } from '../../events/orders/events.js';
import type { Family } from '../../events/pricing/families.js';
import { code, decimal, integer, json, optional, text, type RowOf } from '../core/columns.js';
import type { Projection } from '../core/projection.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { NO_ROW, recordedAt, table } from '../core/table.js';

type DataOf<T> = T extends EventType<infer Data> ? Data : never;

export interface StoredCharges {
  readonly lines: readonly Charge[];
  readonly subtotal: string;
  readonly surcharge_amount: string;
  readonly tax_amount: string;
  /** Contains the texts of the office for its lines. */
  readonly sealed: SealedMembers;
}

/** The parts of a payment or refund that its decider does not need. */
export interface MovementDetails {
  readonly created_at: string;
  /** When the business received a payment outside of the service. */
  readonly received_at: string | null;
  /** User id; null: the service. */
  readonly by: number | null;
  /** Why a refund was made. */
  readonly why: string | null;
  /** Contains the reference of a payment, or the reason of a refund. */
  readonly sealed: SealedMembers;
}

const columns = {
  /** The order. */
  id: integer(),
  business: integer(),
  customer_id: optional(integer()),
  family: code<Family>(),
  payment_status: code<PaymentStatus>(),
  currency: code(),
  total: decimal(),
  rate_id: optional(code()),
  bill: json<Bill>(),
  charges: json<StoredCharges>(),
  /** By id of the payment or refund. */
  details: json<Readonly<Record<string, MovementDetails>>>(),
  /** Revision of the last change of the charges. */
  charges_revision: integer(),
  created_at: text(),
  updated_at: text(),
};
export type BillRow = RowOf<typeof columns>;

const TYPES: ReadonlySet<string> = new Set(BILL_EVENTS.map(({ type }) => type));

const isFirst = ({ type, data }: StoredEvent): boolean => type === ChargesSet.type && data['bill_version'] === 1;

function fold(row: BillRow | undefined, event: StoredEvent): BillRow {
  if (!TYPES.has(event.type)) return row!;
  const bill = evolveBill(row?.bill ?? NO_BILL, event);
  const changed = {
    bill,
    payment_status: paymentStatus(bill),
    currency: bill.currency,
    total: bill.total,
    rate_id: bill.rate_id ?? null,
    updated_at: recordedAt(event),
  };
  if (event.type !== ChargesSet.type) {
    if (!row) throw new Error(`The bill has ${event.type} before ${ChargesSet.type}.`);
    return { ...row, ...changed, details: withDetails(row.details, event) };
  }
  const { business, customer_id, family, lines, subtotal, surcharge_amount, tax_amount } =
    event.data as unknown as DataOf<typeof ChargesSet>;
  return {
    id: orderIdOf(event.stream),
    business,
    customer_id: customer_id ?? null,
    family,
    created_at: row?.created_at ?? changed.updated_at,
    details: row?.details ?? {},
    charges: { lines, subtotal, surcharge_amount, tax_amount, sealed: sealedMembersOf(event) },
    charges_revision: event.revision,
    ...changed,
  };
}

function withDetails(details: BillRow['details'], event: StoredEvent): BillRow['details'] {
  const data = event.data as Readonly<Record<string, never>>;
  const id = event.type === RefundBegun.type ? data['refund_id'] : data['payment_id'];
  const begins = [PaymentBegun.type, PaymentReceived.type, RefundBegun.type].includes(event.type);
  if (!begins || id === undefined || details[id]) return details;
  const by = data['begun_by'] ?? data['received_by'] ?? null;
  return {
    ...details,
    [id]: {
      created_at: recordedAt(event),
      received_at: data['received_at'] ?? null,
      by,
      why: data['why'] ?? null,
      sealed: sealedMembersOf(event),
    },
  };
}

export const bills: Projection<BillRow> = {
  ...table({
    name: 'bills',
    version: 3,
    prefixes: [ORDER_PREFIX],
    columns,
    indexes: [
      '(business, id)',
      '(customer_id, id) where customer_id is not null',
      '(customer_id, created_at) where customer_id is not null',
      '(business, payment_status)',
      '(rate_id) where rate_id is not null',
    ],
    fold,
  }),
  keyOf: ({ stream, type }) => (TYPES.has(type) ? String(orderIdOf(stream)) : NO_ROW),
  rowPerStream: false,
  makesRow: isFirst,
};

declare module '../core/projection.js' {
  interface ReadModels extends Record<'bills', { 'bills.bills': BillRow }> {}
}
