/** A rate card whose prices depend on the area, the day and the time window, for tests of changed orders. */
import { simpleCard, stopIn } from './shipments.js';

export const MONDAY = '2030-12-02';
export const SATURDAY = '2030-12-07';
export const NEAR = stopIn('10117');
export const FAR = { ...stopIn('80331'), city: 'München' };

const breaks = (amount: string) => [{ up_to_kg: 50, amount }];

/** Weight does not matter. `express` is not served on weekends. */
export const CHANGE_CARD = simpleCard({
  services: [
    { code: 'standard', names: { en: 'Standard' } },
    { code: 'express', names: { en: 'Express' }, weekdays: [1, 2, 3, 4, 5] },
  ],
  zones: [
    { code: 'far', match: [{ country: 'DE', postal_prefix: '8' }] },
    { code: 'de', match: [{ country: 'DE' }] },
  ],
  lanes: [
    { from: 'de', to: 'far', lane: 'far' },
    { from: 'de', to: 'de', lane: 'near' },
  ],
  table: [
    { service: 'standard', lane: 'near', breaks: breaks('4.90') },
    { service: 'standard', lane: 'far', breaks: breaks('9.90') },
    { service: 'express', lane: 'near', breaks: breaks('8.00') },
  ],
  surcharges: [
    {
      code: 'weekend',
      when: [{ field: 'weekday', op: '>=', value: 6 }],
      amount: { flat: '2.00' },
      fuelable: false,
      taxable: false,
    },
    {
      code: 'narrow',
      when: [{ field: 'window_hours', op: '<=', value: 2 }],
      amount: { flat: '1.00' },
      fuelable: false,
      taxable: false,
    },
  ],
});

/** With 19 % taxes on the base price. */
export const PRICES = {
  near: '5.83',
  saturday: '7.83',
  far: '11.78',
  farOnSaturday: '13.78',
  express: '9.52',
} as const;
