/** Updates an order: note, instruction, time windows, date, warehouse, and requirements for plans. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { OrderReply, OrderUpdate } from '../../../commands/orders/decider.js';
import { localDate } from '../../../events/core/local-time.js';
import { orderStream } from '../../../events/orders/events.js';
import type { OrderQueries } from '../../../projections/orders/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { dateSchema } from '../../core/dates.js';
import { explainedError, fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { checkCustomNames } from '../plans/capacities.js';
import { pricedWindow } from '../pricing/priced-inputs.js';
import type { ChangedOrder } from './changed-prices.js';
import type { ChangeByCustomer } from './customer-changes.js';
import { checkDate, instructionInput, noteInput, orderId, timeWindowsInput } from './input.js';
import { planningMembers } from './planning.js';
import { CUSTOMER_CONFLICTS, expectedPrice, REPRICED_BY, REPRICING } from './repriced.js';
import { toReschedule } from './reschedule.js';
import { visibleOrder, WRITERS } from './viewer.js';
import { ORDER_VERSION } from './version.js';

const { service_time_s, required_skills, priority, custom_sizes } = planningMembers;
const planningInput = z
  .strictObject({
    service_time_s: service_time_s
      .nullable()
      .optional()
      .describe('Service time at each stop of the order, in seconds.'),
    required_skills: required_skills.nullable().optional().describe('Codes of skills that the driver needs.'),
    priority: priority
      .nullable()
      .optional()
      .describe('Priority from 0 to 9. If not all orders fit, the plan contains the orders with a higher priority.'),
    custom_sizes: custom_sizes
      .nullable()
      .optional()
      .describe('Amounts of the capacities that the business defined (`custom_capacities`).'),
  })
  .meta({ id: 'OrderPlanningInput' });
const members = {
  delivery_instruction: instructionInput.nullable().optional(),
  note: noteInput.nullable().optional(),
  time_windows: timeWindowsInput.nullable().optional(),
  schedule_date: dateSchema.optional(),
  warehouse_id: orderId
    .optional()
    .describe(
      'Warehouse where the order starts (`D`) or ends (`P`). A new warehouse does not move packages. Scans and transfers move them.',
    ),
  planning: planningInput
    .nullable()
    .optional()
    .describe('Requirements for route plans. Fields that are omitted stay unchanged; null removes all requirements.'),
  expected_price: expectedPrice,
};
type RequestedUpdate = z.infer<z.ZodObject<typeof members>>;

/** Fields that customers may send. Notes, warehouses and planning are internal to the business. */
const CUSTOMER_FIELDS: ReadonlySet<string> = new Set([
  'delivery_instruction',
  'time_windows',
  'schedule_date',
  'expected_price',
]);

export const orderUpdate = ({
  orders,
  queries,
  warehouses,
  settings,
  changeByCustomer,
}: Parts<'settings'> & {
  changeByCustomer: ChangeByCustomer;
  orders: Commands['orders'];
  queries: OrderQueries;
  warehouses: Pick<WarehouseQueries, 'isOpen'>;
}): Operation =>
  operation({
    name: 'orderUpdate',
    area: 'Orders',
    summary: 'Update an order',
    description:
      'Fields that are omitted stay unchanged; null clears a field. All changes are applied in one step, or none. Customers may change the delivery instruction, the date and the time windows of their own orders. Another date or time window gets the price of the rate card in force. With the terms `wallet_on_create`, the wallet pays a higher price at once, or the order is on hold until it is paid. A lower price refunds the difference.',
    rest: { method: 'patch', path: '/v1/orders/:order_id' },
    callers: [...WRITERS, 'customer'],
    scopes: ['orders:write'],
    risk: 'medium',
    writes: true,
    reads: ['planning', 'warehouses', ...REPRICED_BY],
    awaits: REPRICING,
    returns: { read: 'order' },
    versioned: ORDER_VERSION,
    answers: {
      404: 'There is no such order or warehouse.',
      409: `The order is finished. ${CUSTOMER_CONFLICTS}`,
      422: 'The business has no such capacity.',
    },
    input: z.object({ order_id: orderId, ...members }),
    output: z.object({ result: z.boolean() }),
    async run({ order_id, expected_price, ...requestedUpdate }, context) {
      const { caller, cause, commandId, wrote } = context;
      expectAllowed(caller, { ...requestedUpdate, expected_price });
      const business = businessOf(caller);
      if (
        requestedUpdate.warehouse_id !== undefined &&
        !(await warehouses.isOpen(requestedUpdate.warehouse_id, business))
      )
        throw fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_id');
      const names = (requestedUpdate.planning?.custom_sizes ?? []).map(({ name }) => name);
      if (names.length > 0)
        checkCustomNames(names, await settings.settingsOf(business), 'custom_sizes', '/planning/custom_sizes');
      const commandFields = { commandId, orderId: order_id, business, by: userOf(caller).userId };
      const command = { ...commandFields, do: 'update' as const, updates: updatesOf(requestedUpdate) };
      if (caller.role !== 'customer') {
        wrote((await orders(orderStream(order_id), command, cause)).position);
        return { result: true };
      }
      const order = await visibleOrder(queries, caller, { order_id });
      checkDate(requestedUpdate.schedule_date, localDate(context.time, userOf(caller).timezone), false);
      const changed = (before: OrderReply, after: OrderReply): ChangedOrder => ({
        order,
        changed: after,
        isPriced: isPricedChange(before, after),
        paidOrderId: order_id,
        expectedPrice: expected_price,
      });
      wrote((await changeByCustomer(command, changed, context)).position);
      return { result: true };
    },
  });

/** Throws FORBIDDEN for a field that customers may not change, and for the price that staff expect. */
function expectAllowed(caller: Caller, requestedUpdate: RequestedUpdate): void {
  const isCustomer = caller.role === 'customer';
  const refused = Object.entries(requestedUpdate).find(
    ([member, value]) =>
      value !== undefined && (isCustomer ? !CUSTOMER_FIELDS.has(member) : member === 'expected_price'),
  );
  if (refused) throw explainedError('FORBIDDEN', 'FIELD_NOT_ALLOWED', refused[0]);
}

/** Whether the change concerns the date or the time window that prices depend on. */
const isPricedChange = ({ schedule: before }: OrderReply, { schedule: after }: OrderReply): boolean =>
  before.schedule_date !== after.schedule_date ||
  !isDeepStrictEqual(pricedWindow(before.time_windows), pricedWindow(after.time_windows));

function updatesOf({
  delivery_instruction,
  note,
  time_windows,
  schedule_date,
  warehouse_id,
  planning,
}: Omit<RequestedUpdate, 'expected_price'>): OrderUpdate[] {
  return [
    ...(delivery_instruction === undefined
      ? []
      : [{ do: 'instruct' as const, delivery_instruction: delivery_instruction || undefined }]),
    ...(note === undefined ? [] : [{ do: 'annotate' as const, note: note || undefined }]),
    ...(time_windows === undefined && schedule_date === undefined
      ? []
      : [toReschedule({ time_windows: time_windows === null ? [] : time_windows, schedule_date })]),
    ...(warehouse_id === undefined ? [] : [{ do: 'set_warehouse' as const, warehouse: warehouse_id }]),
    ...(planning === undefined ? [] : [{ do: 'set_planning' as const, planning: planning ?? CLEARED_PLANNING }]),
  ];
}

const CLEARED_PLANNING = { service_time_s: null, required_skills: null, priority: null, custom_sizes: null } as const;
