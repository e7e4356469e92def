/** The order that continues a rerouted order. */
import { unseal, type KeyRing } from '../../events/core/codec.js';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import type { ReplacementBill } from '../../events/bill/events.js';
import { OrderWarehouseSet, orderSubject, type NewOrderData, type Stop } from '../../events/orders/events.js';
import { derivedId } from '../../events/otep/identity.js';
import type { Cause } from '../core/handle.js';
import type { OrderCommand } from './command.js';
import { continuedBill } from './continued-bill.js';

/**
 * Returns the command that creates the replacement, from the past of the order. `event` cancelled the order and names
 * its replacement. Data that has been erased is missing in the replacement, too.
 */
export async function toReplacement(
  order: NewOrderData,
  event: StoredEvent,
  past: readonly StoredEvent[],
  { keyRing, cause }: { readonly keyRing: KeyRing; readonly cause: Cause },
): Promise<OrderCommand & { readonly do: 'create' }> {
  const keys = await keyRing.existing([orderSubject(order.order_id)]);
  const open = ({ id, data }: StoredEvent) => unseal(data, id, keys);
  const whole = past
    .filter(({ type }) => CARRIED.has(type))
    .reduce<JsonObject>((merged, one) => ({ ...merged, ...cleared(one), ...open(one) }), {}) as unknown as NewOrderData;
  const { replacement } = open(event) as unknown as {
    replacement: { order_id: number; delivery: Stop; tracking_numbers: readonly string[]; bill?: ReplacementBill };
  };
  const { order_id: _id, business, created_by: _by, descriptions = {}, packages, ...rest } = whole;
  const numbers = new Map(
    packages.map(({ tracking_number }, index) => [tracking_number, replacement.tracking_numbers[index]!]),
  );
  const by = Number(cause.actor.id);
  const warehouse = past.findLast(({ type }) => type === OrderWarehouseSet.type)?.data['warehouse_id'];
  const commandId = derivedId('rerouted', event.id);
  const command: OrderCommand & { readonly do: 'create' } = {
    do: 'create',
    commandId,
    orderId: replacement.order_id,
    business,
    ...(cause.actor.kind === 'user' && { by }),
    ...(warehouse !== undefined && { warehouse: warehouse as number }),
    ...continuedBill(
      { order, paymentId: derivedId('payment', replacement.order_id, commandId), bill: replacement.bill },
      past,
      event,
      open,
    ),
    order: {
      ...picked(rest),
      delivery: replacement.delivery,
      replaces: order.order_id,
      packages: packages.map((parcel) => ({ ...parcel, tracking_number: numbers.get(parcel.tracking_number)! })),
      descriptions: Object.fromEntries(
        Object.entries(descriptions).map(([number, text]) => [numbers.get(number)!, text]),
      ),
    },
  };
  return command;
}

/** Events whose members make up the current state of the order. */
const CARRIED: ReadonlySet<string> = new Set([
  'OrderCreated',
  'DeliveryInstructionChanged',
  'OrderNoteChanged',
  'TimeWindowChanged',
]);

/** The event that removes a text omits its member, so the member is cleared here. */
const cleared = ({ type }: StoredEvent): object =>
  type === 'DeliveryInstructionChanged'
    ? { delivery_instruction: undefined }
    : type === 'OrderNoteChanged'
      ? { note: undefined }
      : {};

/** The members of a new order. The merged events have additional members. */
const picked = ({
  type,
  order_ref,
  customer_id,
  schedule_date,
  self_delivery,
  pickup,
  time_windows,
  delivery_instruction,
  note,
  return_reason,
  return_note,
  return_photo,
}: Omit<NewOrderData, 'order_id' | 'business' | 'created_by' | 'packages' | 'descriptions'>) => ({
  type,
  order_ref,
  customer_id,
  schedule_date,
  self_delivery,
  pickup,
  time_windows,
  delivery_instruction,
  note,
  return_reason,
  return_note,
  return_photo,
});
