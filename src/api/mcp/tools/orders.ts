/** Tools that read and write orders. */
import { z } from 'zod';
import { MAX_ID } from '../../core/ids.js';
import type { ToolDefinition } from '../definition.js';

const order = { category: 'orders' } as const;

const UPDATED = [
  'delivery_instruction',
  'note',
  'time_windows',
  'schedule_date',
  'warehouse_id',
  'planning',
  'expected_price',
] as const;

/** A tool that updates one text of an order and leaves all other members unchanged. `max`: characters. */
const only = (member: (typeof UPDATED)[number], max: number): Pick<ToolDefinition, 'fixed' | 'shape'> => ({
  fixed: Object.fromEntries(UPDATED.filter((other) => other !== member).map((other) => [other, undefined])),
  shape: { [member]: z.string().trim().max(max).describe('New text; an empty text removes it.') },
});

const ADDRESS = {
  name: 'Ada Lovelace',
  street: 'Hauptstrasse 1',
  postal_code: '20095',
  city: 'Hamburg',
  country: 'DE',
};
/** Members of an order in a list: a P order has a pickup, a D order has a delivery. */
const ROW = 'id,order_ref,type,status,schedule_date,route_id,pickup.name,pickup.city,delivery.name,delivery.city';
const POSITION = { description: 'WGS 84 `latitude`, `longitude`.', opaque: true };
const TIME_WINDOWS = { description: '`from`, `to` as `HH:MM`; `stop`: delivery (default) or pickup.', opaque: true };
const DELIVERY = { type: 'D', order_ref: 'SHOP-4711', delivery: ADDRESS, packages: [{ weight_kg: 2.5 }] };

export const CREATE_ORDER: ToolDefinition = {
  ...order,
  name: 'create_order',
  title: 'Create an order',
  operation: 'orderCreate',
  description:
    'Create one order: D (warehouse to customer) with `delivery`, P (customer to warehouse) with `pickup`, P2P (address to address) with both.',
  arguments: {
    'pickup.position': POSITION,
    time_windows: TIME_WINDOWS,
    type: { description: 'Direction.' },
    customer_id: { description: 'Customers omit it.' },
    warehouse_id: { description: 'Start (D) or end (P). Default: the default warehouse.' },
    self_delivery: { description: 'False: a carrier delivers.' },
    rate_id: { description: 'From quote_delivery.' },
    pay: { description: "When the wallet pays. Default: the customer's terms." },
  },
  // To keep the description of the tool short: people record returns, and `rate_id` fixes the price.
  fixed: { expected_price: undefined, return_reason: undefined, return_note: undefined, return_photo: undefined },
  example: DELIVERY,
};
export const OPERATION_EVENTS: ToolDefinition = {
  ...order,
  name: 'get_operation_events',
  title: 'Audit trail of an order',
  operation: 'trackingOperationevents',
  description: 'Get the full audit trail of one order: events with actor, interface, positions, photos and details.',
};

export const ORDER_TOOLS: readonly ToolDefinition[] = [
  {
    ...order,
    name: 'get_orders',
    title: 'List orders',
    operation: 'orders',
    fields: { 'orders[]': `${ROW},via_alliance` },
    description: 'List orders of the business with filters and paging.',
    arguments: {
      schedule_date_from: { description: 'First day.' },
      schedule_date_to: { description: 'Last day, inclusive.' },
      created_from: { description: 'First day of creation.' },
      created_to: { description: 'Last day of creation, inclusive.' },
    },
  },
  {
    ...order,
    name: 'get_order_detail',
    title: 'Get an order',
    operation: 'order',
    fields: { order: '*' },
    description: 'Get all details of one order by its id.',
  },
  {
    ...order,
    name: 'find_order',
    title: 'Find an order',
    operation: 'ordersSearch',
    fields: { 'orders[]': `${ROW},delivery.street,packages.tracking_number,match` },
    description:
      'Search orders by tracking number, external tracking number, reference, recipient name or phone. The search is fuzzy. Use it if the id is unknown.',
    arguments: {
      query: { description: 'Number, reference, name or phone; tolerates typing errors.', example: 'Lovelace' },
    },
  },
  OPERATION_EVENTS,
  {
    ...order,
    name: 'order_snapshot',
    title: 'Order snapshot',
    operation: 'orderSnapshot',
    fields: { '': '*' },
    description:
      'Get the details, audit trail and public tracking of one order in one response. Accepts an order id or a tracking number.',
    shape: {
      order_id: z.int().min(1).max(MAX_ID).optional().describe('Id of the order. Omit it if tracking_number is set.'),
    },
  },
  {
    ...order,
    name: 'list_exceptions',
    title: 'List exceptions',
    operation: 'ordersExceptions',
    fields: {
      'orders[]':
        'id,order_ref,status,route_id,customer_id,pickup.name,delivery.name,delivery.city,exceptions.status,exceptions.occurred_at,exceptions.reason_code,exceptions.note',
    },
    arguments: {
      schedule_date: { description: 'Orders of this day that are an exception now. Default: today.' },
      occurred_from: { description: 'First day of a period. Includes orders that were delivered later.' },
      occurred_to: { description: 'Last day of the period, inclusive.' },
      status: { description: 'Only this kind of exception.' },
    },
    description:
      'List failed, returned and otherwise exceptional orders of a schedule date (default: today) or of a period (occurred_from, occurred_to), with recipient, time, reason and note of each failure.',
  },
  {
    ...order,
    name: 'print_local_label',
    title: 'Print a local label',
    operation: 'orderLabel',
    arguments: { format: { description: '`pdf`: the document; `base64` (default): inside JSON.' } },
    description:
      'Get the printable label of a local delivery order as a base64 PDF, with label code and tracking numbers.',
  },
  {
    ...order,
    name: 'get_async_batch_result',
    title: 'Result of a queued batch',
    operation: 'clientAsync',
    description: 'Get the status of a batch from bulk_create_orders_async, and the result of each order.',
  },
  CREATE_ORDER,
  {
    ...order,
    name: 'cancel_order',
    title: 'Cancel an order',
    operation: 'orderCancel',
    description: 'Cancel one order that is not delivered yet. A cancellation cannot be undone.',
  },
  {
    ...order,
    name: 'bulk_create_orders',
    title: 'Create many orders',
    operation: 'ordersBatch',
    arguments: {
      orders: { description: 'Orders, 100 at most. Each has the arguments of create_order.', opaque: true },
      stop_on_error: { description: 'Stop at the first order that fails.' },
    },
    description:
      'Create up to 100 orders in one call. Each succeeds or fails separately; stop_on_error stops at the first failure.',
    example: { orders: [DELIVERY], confirm: true },
  },
  {
    ...order,
    name: 'reroute_to_address',
    title: 'Reroute an order',
    operation: 'orderReroute',
    arguments: { 'delivery.position': POSITION },
    fixed: { expected_price: undefined },
    example: { order_id: 142, delivery: ADDRESS, confirm: true },
    description:
      'For an order not yet picked up, change the address or the name or phone of the recipient. Cancels the order and creates a new one.',
  },
  {
    ...order,
    name: 'update_delivery_instruction',
    title: 'Change the delivery instruction',
    operation: 'orderUpdate',
    ...only('delivery_instruction', 1_000),
    description: 'Change only the delivery instruction, the text for the driver.',
  },
  {
    ...order,
    name: 'update_order_note',
    title: 'Change the internal note',
    operation: 'orderUpdate',
    ...only('note', 2_000),
    description: 'Change only the internal note of an order, which recipients never see.',
  },
  {
    ...order,
    name: 'update_time_window_by_refs',
    title: 'Change time windows',
    operation: 'ordersTimeWindows',
    arguments: { time_windows: TIME_WINDOWS, schedule_date: { description: 'New day of the orders.' } },
    example: { order_refs: ['SHOP-4711'], time_windows: [{ stop: 'delivery', from: '09:00', to: '12:00' }] },
    description:
      'Change the time windows, and optionally the schedule date, of orders selected by their external references.',
  },
  {
    ...order,
    name: 'hold_order',
    title: 'Hold an order',
    operation: 'orderHold',
    reversible: true,
    description: 'Put an order on HOLD, so that it is not dispatched. release_order undoes it.',
  },
  {
    ...order,
    name: 'release_order',
    title: 'Release an order',
    operation: 'orderRelease',
    reversible: true,
    description: 'Change an order from HOLD back to NEW_ORDER, so that it can be dispatched. hold_order undoes it.',
  },
  {
    ...order,
    name: 'bulk_create_orders_async',
    title: 'Queue many orders',
    operation: 'ordersBatchAsync',
    arguments: {
      orders: { description: 'Orders, 1,000 at most. Each has the arguments of create_order.', opaque: true },
      stop_on_error: { description: 'Stop at the first order that fails.' },
    },
    description: 'Queue up to 1,000 new orders. Returns an async_id immediately, for get_async_batch_result.',
    example: { orders: [DELIVERY], confirm: true },
  },
];
