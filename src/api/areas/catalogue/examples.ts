/** Examples for the catalogue. The bodies work on a fresh demo, in this order. */
import type { Examples } from '../../core/example.js';

export const CATALOG_EXAMPLES: Examples = {
  catalogCategorySet: {
    path: { code: 'gifts' },
    body: { names: { en: 'Gift wrapping', de: 'Geschenkverpackung' }, sort_order: 30 },
  },
  catalogItemSet: {
    path: { kind: 'packaging', code: 'gift_box' },
    body: {
      names: { en: 'Gift box', de: 'Geschenkkarton' },
      category_code: 'gifts',
      inner: { length_cm: 30, width_cm: 20, height_cm: 10 },
      outer: { length_cm: 31, width_cm: 21, height_cm: 11 },
      tare_kg: 0.2,
      max_weight_kg: 5,
      cost: '0.80',
      price: '2.50',
      currency: 'EUR',
    },
  },
};
