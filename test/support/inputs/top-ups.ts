/** A billing profile with which a business accepts bank transfers, and a top-up. */
export const PROFILE = {
  currency: 'EUR',
  legal_name: 'Demo Logistics GmbH',
  billing_address: { street: 'Westhafenstraße 1', city: 'Berlin', country: 'DE' },
  bank_details: { account_holder: 'Demo Logistics GmbH', iban: 'DE89370400440532013000' },
};
export const TOP_UP = { amount: '50.00', method: 'bank_transfer' };
