/** The rows of the access table for rates of carriers. */
import { randomInt } from 'node:crypto';
import type { CallerKind } from '../../../../src/api/core/callers.js';
import { simpleCard, stopIn } from '../../inputs/shipments.js';
import type { AccessRow, Foreign, Input, MakeInput } from '../table.js';

const OFFICE: readonly CallerKind[] = ['client_admin', 'employee'];
const PARCEL: Input = {
  ship_from: { country: 'DE', postal_code: '10115' },
  ship_to: { country: 'DE', postal_code: '80331' },
  packages: [{ weight_kg: 2 }],
};

/** An account of another business. */
const withForeignAccount: MakeInput = async ({ good }) => {
  const user = 'other_client_admin';
  const card = { family: 'shipping_service', name: 'Parcels', currency: 'EUR' };
  const { id } = (await good('/rate-cards', user, { body: card })).json.rate_card;
  await good(`/rate-cards/${id}/versions`, user, { body: { card: simpleCard() } });
  const company_prefix = String(randomInt(1_000_000_000, 9_999_999_999));
  const settings = { rate_card_id: id, carrier_name: 'Their vans', company_prefix };
  const body = { adapter: 'sheet', name: 'Their vans', settings, return_address: stopIn('10115') };
  await good('/carrier-accounts', user, { body });
  const { json } = await good('/carrier-accounts', user);
  return { ...PARCEL, carrier_account_ids: [json.carrier_accounts[0].id] };
};
const withForeignCustomer: Foreign = {
  input: ({ demo }) => ({ ...PARCEL, customer_id: demo.users.other_client_admin.id }),
  as: OFFICE,
  status: 400,
};

const row = (foreign: AccessRow['foreign']): AccessRow => ({
  roles: [...OFFICE, 'customer'],
  scopes: ['labels:read'],
  own: () => PARCEL,
  ...(foreign && { foreign }),
  varies: ['*'],
});

export const ROWS: Readonly<Record<string, AccessRow>> = {
  labelserviceRate: row([withForeignCustomer, { input: withForeignAccount, status: 404 }]),
  labelserviceCompareAllCarriers: row(withForeignCustomer),
};
