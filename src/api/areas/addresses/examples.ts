/** Examples for saved addresses. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const ADDRESS_EXAMPLES: Examples = {
  addressCreate: {
    body: {
      kind: 'recipient',
      label: 'Ada, at work',
      address: {
        name: 'Ada Muster',
        street: 'Invalidenstraße 44',
        city: 'Berlin',
        postal_code: '10115',
        country: 'DE',
      },
      is_default: true,
    },
  },
  addressImport: {
    body: {
      csv: 'Name,Street,City,Postcode,Country\nAda Muster,Invalidenstraße 44,Berlin,10115,DE\n',
      mapping: [
        { from: 'Name', to: 'name' },
        { from: 'Street', to: 'street' },
        { from: 'City', to: 'city' },
        { from: 'Postcode', to: 'postal_code' },
        { from: 'Country', to: 'country' },
      ],
      dry_run: true,
    },
  },
  addressUpdate: { path: { address_id: 1 }, body: { label: 'Ada, at home' } },
};
