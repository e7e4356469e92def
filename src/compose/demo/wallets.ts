/** Money of the demo business: its billing profile, and the wallet of its customer. */
import type { Commands } from '../../commands/commands.js';
import type { Cause } from '../../commands/core/handle.js';
import { businessStream } from '../../events/businesses/events.js';
import { derivedId } from '../../events/otep/identity.js';
import { walletStream } from '../../events/wallet/events.js';
import type { DemoUsers } from './people.js';

const CURRENCY = 'EUR';
const BALANCE = '250.00';

/** Repeating it changes nothing. `cause` names the business. */
export async function seedWallets(
  { businesses, wallets }: Pick<Commands, 'businesses' | 'wallets'>,
  { users, businessId: business }: { readonly users: DemoUsers; readonly businessId: number },
  cause: Cause,
): Promise<void> {
  const billing = {
    currency: CURRENCY,
    legal_name: 'Demo Logistics GmbH',
    address: { street: 'Westhafenstraße 1', postal_code: '13353', city: 'Berlin', country: 'DE' },
    tax_ids: ['DE123456789'],
    bank_details: { account_holder: 'Demo Logistics GmbH', iban: 'DE89370400440532013000' },
  };
  await businesses(
    businessStream(business),
    { do: 'billing', commandId: derivedId('seed', 'billing', business), billing, by: users.client_admin.id },
    cause,
  );
  const accountId = users.customer.id;
  await wallets(
    walletStream({ accountId, currency: CURRENCY }),
    {
      do: 'credit',
      business,
      accountId,
      currency: CURRENCY,
      at: Date.now(),
      entryId: derivedId('seed', 'wallet', accountId),
      amount: BALANCE,
      source: 'bank',
      reference: 'Opening balance',
    },
    cause,
  );
}
