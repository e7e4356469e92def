/** The read model of label orders. Personal data stays encrypted. */
import { BILL_EVENTS } from '../../events/bill/events.js';
import type { EventType } from '../../events/core/event-types.js';
import type { StoredEvent } from '../../events/core/log.js';
import { LABEL_PREFIX, LabelOrderCreated, type NewLabelOrder } from '../../events/labels/events.js';
import { evolveLabelOrder, orderOf, type LabelOrder } from '../../events/labels/order.js';
import { isLabelMissing, labelOrderState } from '../../events/labels/state.js';
import type { LabelOrderState } from '../../events/labels/states.js';
import { code, flag, integer, json, jsonb, optional, text, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { recordedAt, table } from '../core/table.js';

type Plain = Pick<
  NewLabelOrder,
  | 'packages'
  | 'options'
  | 'label_format'
  | 'label_size'
  | 'method_code'
  | 'method_name'
  | 'carrier'
  | 'agreed_cost'
  | 'shipments'
>;

const columns = {
  id: integer(),
  business: integer(),
  customer_id: optional(integer()),
  account_id: integer(),
  adapter: code(),
  method_id: integer(),
  order_ref: optional(code()),
  rate_id: optional(code()),
  state: text<LabelOrderState>(),
  ship_date: code(),
  /** The members of the order without personal data. */
  details: json<Plain>(),
  labels: json<LabelOrder>(),
  tracking_numbers: jsonb<readonly string[]>(),
  /** A label was bought, and its file is not stored yet. */
  is_label_missing: flag(),
  created_by: optional(integer()),
  created_at: text(),
  updated_at: text(),
  sealed: json<readonly SealedMembers[]>(),
  revision: integer(),
};
export type LabelRow = RowOf<typeof columns>;

const BILL_TYPES: ReadonlySet<string> = new Set(
  (BILL_EVENTS as readonly Pick<EventType, 'type'>[]).map(({ type }) => type),
);

function fold(row: LabelRow | undefined, event: StoredEvent): LabelRow {
  if (!row) {
    if (event.type !== LabelOrderCreated.type) throw new Error(`The stream has ${event.type} before its order.`);
    return created(event);
  }
  const labels = evolveLabelOrder(row.labels, event);
  const changed = { ...row, labels, state: labelOrderState(labels), revision: event.revision };
  if (BILL_TYPES.has(event.type)) return changed;
  return {
    ...changed,
    tracking_numbers: labels.packages.flatMap(({ tracking_number }) => tracking_number ?? []),
    is_label_missing: labels.packages.some((parcel) => isLabelMissing(labels, parcel)),
    updated_at: recordedAt(event),
  };
}

function created(event: StoredEvent): LabelRow {
  const order = event.data as unknown as NewLabelOrder;
  const labels = orderOf(order);
  const { packages, options, label_format, label_size, method_code, method_name, carrier, shipments } = order;
  const { agreed_cost } = order;
  return {
    id: order.order_id,
    business: order.business,
    customer_id: order.customer_id ?? null,
    account_id: order.account_id,
    adapter: order.adapter,
    method_id: order.method_id,
    order_ref: order.order_ref ?? null,
    rate_id: order.rate_id ?? null,
    state: labelOrderState(labels),
    ship_date: order.ship_date,
    details: {
      packages,
      options,
      label_format,
      label_size,
      method_code,
      method_name,
      carrier,
      shipments,
      ...(agreed_cost && { agreed_cost }),
    },
    labels,
    tracking_numbers: [],
    is_label_missing: false,
    created_by: order.created_by ?? null,
    created_at: recordedAt(event),
    updated_at: recordedAt(event),
    sealed: [sealedMembersOf(event)],
    revision: event.revision,
  };
}

export const labels = table({
  name: 'labels',
  version: 1,
  prefixes: [LABEL_PREFIX],
  columns,
  indexes: [
    '(business, id desc)',
    '(business, state, id desc)',
    '(customer_id, id desc) where customer_id is not null',
    "(account_id, ship_date) where state = 'LABEL_PURCHASED'",
    'using gin (tracking_numbers jsonb_path_ops)',
    '(id) where is_label_missing',
  ],
  fold,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'labels', { 'labels.labels': LabelRow }> {}
}
