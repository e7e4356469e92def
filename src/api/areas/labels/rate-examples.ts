/** Example requests for rates of carriers. They work on a fresh demo. */
import type { Examples } from '../../core/example.js';

const SHIPMENT = {
  ship_to: { country: 'DE', postal_code: '80331' },
  packages: [{ weight_kg: 1.4, length_cm: 30, width_cm: 20, height_cm: 10 }],
};

export const LABEL_RATE_EXAMPLES: Examples = {
  labelserviceRate: { body: { ...SHIPMENT, ship_from: { country: 'DE', postal_code: '10115' } } },
  labelserviceCompareAllCarriers: { body: { ...SHIPMENT, customer_id: 6 } },
};
