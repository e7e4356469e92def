/** Examples for businesses and their settings. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const BUSINESS_EXAMPLES: Examples = {
  businessCreate: { as: 'platform_admin', body: { code: 'acme', name: 'Acme', timezone: 'Europe/Berlin' } },
  businessModuleSet: {
    as: 'platform_admin',
    path: { business_id: 1, module: 'contractor_assignment' },
    body: { enabled: true },
  },
  approvalSettingsUpdate: { body: { review: 'another_person' } },
  billingProfileSet: {
    body: {
      currency: 'EUR',
      legal_name: 'Demo Logistics GmbH',
      billing_address: { street: 'Westhafenstraße 1', postal_code: '13353', city: 'Berlin', country: 'DE' },
      tax_ids: ['DE123456789'],
      bank_details: { account_holder: 'Demo Logistics GmbH', iban: 'DE89370400440532013000' },
    },
  },
  orderSettingsUpdate: {
    body: {
      unique_order_ref: true,
      sender: {
        company: 'Demo Logistics',
        street: 'Westhafenstraße 1',
        postal_code: '13353',
        city: 'Berlin',
        country: 'DE',
      },
    },
  },
};
