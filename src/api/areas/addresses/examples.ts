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
  addressUpdate: { path: { address_id: 1 }, body: { label: 'Ada, at home' } },
};
