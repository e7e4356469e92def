/** Random commands to address books. */
import { addresses, type AddressChange } from '../../../../../src/commands/addresses/decider.js';
import { orders } from '../../../../../src/commands/orders/decider.js';
import { addressEntrySchema, addressStream } from '../../../../../src/events/addresses/events.js';
import { orderStream } from '../../../../../src/events/orders/events.js';
import { generator, type Tools } from '../generator.js';

/** Every third address belongs to a customer. */
const send = ({ send: to, business }: Tools, id: number, body: AddressChange) =>
  to(addresses, addressStream(id), { ...body, id, business, customerId: id % 3 === 0 ? 7 : undefined });

export const MIX = generator({
  save: (tools, pick) => send(tools, tools.fresh(), { do: 'save', entry: pick.like(addressEntrySchema) }),
  change: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'change', entry: pick.like(addressEntrySchema.partial()) }),
  remove: (tools, pick) => send(tools, tools.existing(pick), { do: 'remove' }),
  /** An order whose stops were copied from entries, possibly the same one. */
  order: ({ send: to, business, fresh, existing, id }, pick) => {
    const orderId = fresh();
    const order = {
      type: 'P2P' as const,
      self_delivery: true,
      pickup_address_id: existing(pick),
      ...(pick.flag() && { delivery_address_id: id(pick.of(2)) }),
      packages: [{ tracking_number: `COPIED${orderId}` }],
      time_windows: [],
    };
    return to(orders, orderStream(orderId), { do: 'create', orderId, business, by: 1, order });
  },
  erase: (tools, pick) => send(tools, tools.existing(pick), { do: 'erase' }),
});
