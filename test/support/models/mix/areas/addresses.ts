/** Random commands to address books. */
import { addresses, type AddressChange } from '../../../../../src/commands/addresses/decider.js';
import { addressEntrySchema, addressStream } from '../../../../../src/events/addresses/events.js';
import { generator, type Tools } from '../generator.js';

/** Every third address belongs to a customer. */
const send = ({ send: to, business }: Tools, id: number, body: AddressChange) =>
  to(addresses, addressStream(id), { ...body, id, business, customerId: id % 3 === 0 ? 7 : undefined });

export const MIX = generator({
  save: (tools, pick) => send(tools, tools.fresh(), { do: 'save', entry: pick.like(addressEntrySchema) }),
  change: (tools, pick) =>
    send(tools, tools.existing(pick), { do: 'change', entry: pick.like(addressEntrySchema.partial()) }),
  remove: (tools, pick) => send(tools, tools.existing(pick), { do: 'remove' }),
  erase: (tools, pick) => send(tools, tools.existing(pick), { do: 'erase' }),
});
