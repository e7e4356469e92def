/** Address books of the demo: of the business, and of its customer. */
import { addresses as addressDecider } from '../../commands/addresses/decider.js';
import type { Cause } from '../../commands/core/handle.js';
import { addressStream, type AddressEntry } from '../../events/addresses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { ADDRESS_IDS } from '../../projections/addresses/read-model.js';
import type { Service } from '../service.js';
import { seeding } from './seeding.js';

const berlin = (name: string, street: string, postal_code: string) => ({
  name,
  street,
  city: 'Berlin',
  postal_code,
  country: 'DE',
});

/** One entry for each kind, so that a later run recognizes them without their encrypted names. */
const OF_BUSINESS: readonly AddressEntry[] = [
  { kind: 'sender', label: 'Head office', address: berlin('Demo Logistics', 'Turmstraße 21', '10559'), default: true },
  { kind: 'pickup', label: 'Workshop', address: berlin('Demo Workshop', 'Oranienstraße 25', '10999'), default: false },
  { kind: 'return', label: 'Returns', address: berlin('Demo Returns', 'Turmstraße 21', '10559'), default: true },
  { kind: 'recipient', label: 'Bookshop', address: berlin('Bookshop', 'Torstraße 60', '10119'), default: false },
];
const OF_CUSTOMER: readonly AddressEntry[] = [
  { kind: 'recipient', label: 'Home', address: berlin('Carla Customer', 'Kantstraße 12', '10623'), default: true },
];

/** Seeds the missing entries. `cause` names the business. */
export async function seedAddresses(
  { engines }: Pick<Service, 'engines'>,
  { businessId: business, customerId }: { readonly businessId: number; readonly customerId: number },
  cause: Cause,
): Promise<void> {
  const { ids, handler, command, prepare } = seeding({ engines }, business);
  await prepare(ADDRESS_IDS);
  const handle = handler(addressDecider);
  for (const [owner, entries] of [
    [undefined, OF_BUSINESS],
    [customerId, OF_CUSTOMER],
  ] as const)
    for (const entry of entries) {
      // A removed entry stays removed.
      const { rowCount } = await engines.pool.query(
        'select from addresses.addresses where business = $1 and customer_id is not distinct from $2 and kind = $3',
        [business, owner, entry.kind],
      );
      if (rowCount! > 0) continue;
      const commandId = derivedId('seed', 'address', business, owner ?? 0, entry.kind);
      const [id] = await ids.reserve(ADDRESS_IDS.name, 1, commandId, true);
      await handle(addressStream(id!), { ...command('address', id!), do: 'save', customerId: owner, entry }, cause);
    }
}
