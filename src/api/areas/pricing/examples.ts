/** Example requests for prices. They work on a fresh demo when they are sent in this order. */
import type { Examples } from '../../core/example.js';

/** A card with one service, three weight breaks, a surcharge and a tax. */
const CARD = {
  services: [{ code: 'standard', names: { en: 'Standard', de: 'Standard' }, days_min: 1, days_max: 2 }],
  zones: [{ code: 'de', match: [{ country: 'DE' }] }],
  lanes: [{ from: 'de', to: 'de', lane: 'national' }],
  weight: { basis: 'actual', step_kg: 0.5, min_kg: 0.5 },
  table: [
    {
      service: 'standard',
      lane: 'national',
      breaks: [
        { up_to_kg: 2, amount: '4.90' },
        { up_to_kg: 10, amount: '7.90' },
        { above_kg: 10, base: '7.90', per_kg: '0.45' },
      ],
    },
  ],
  surcharges: [
    {
      code: 'long',
      names: { en: 'Long package' },
      when: [{ field: 'longest_side', op: '>', value: 120 }],
      amount: { per_package: '6.00' },
      fuelable: false,
      taxable: true,
    },
  ],
  taxes: [{ code: 'vat', names: { en: 'VAT 19 %' }, percent: '19', inclusive: false }],
  quote_valid_minutes: 1_440,
};
const STOPS = { pickup: { country: 'DE', postal_code: '10115' }, delivery: { country: 'DE', postal_code: '80331' } };

export const PRICING_EXAMPLES: Examples = {
  rateCardCreate: { body: { family: 'local_delivery', name: 'Berlin 2027', currency: 'EUR' } },
  rateCardPublish: { path: { rate_card_id: 1 }, body: { card: CARD } },
  rateCardTry: {
    path: { rate_card_id: 1 },
    body: { type: 'P2P', ...STOPS, packages: [{ weight_kg: 3.2, length_cm: 130, width_cm: 20, height_cm: 10 }] },
  },
  defaultCardSet: { path: { family: 'local_delivery' }, body: { rate_card_id: 1 } },
  ordersRate: {
    body: { type: 'P2P', ...STOPS, packages: [{ weight_kg: 1.4, length_cm: 30, width_cm: 20, height_cm: 10 }] },
  },
};
