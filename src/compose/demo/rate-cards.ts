/** Rate cards of the demo business: one for each order family, in euros. */
import type { Card } from '../../events/pricing/card.js';
import type { Family } from '../../events/pricing/families.js';

const TAX = { code: 'vat', names: { en: 'VAT 19 %', de: 'USt. 19 %' }, percent: '19', inclusive: false };
const FUEL = [{ date_from: '2026-01-01', percent: '4.5' }];
const GERMANY = [
  { code: 'berlin', match: [{ country: 'DE', postal_from: '10000', postal_to: '14199' }] },
  { code: 'germany', match: [{ country: 'DE' }] },
];
const LANES = [
  { from: 'berlin', to: 'berlin', lane: 'city' },
  { from: 'berlin', to: 'germany', lane: 'national' },
  { from: 'germany', to: 'berlin', lane: 'national' },
  { from: 'germany', to: 'germany', lane: 'national' },
];
/** One price for the whole country. */
const NATIONAL = {
  zones: [{ code: 'germany', match: [{ country: 'DE' }] }],
  lanes: [{ from: 'germany', to: 'germany', lane: 'national' }],
};
const PARCEL = { basis: 'greater', divisor: 5_000, side_rounding: 'up', step_kg: 0.5, min_kg: 1 } as const;
const standard = (days_min: number, days_max: number) => ({
  code: 'standard',
  names: { en: 'Standard', de: 'Standard', fr: 'Standard', es: 'Estándar', 'zh-Hans': '标准', 'zh-Hant': '標準' },
  days_min,
  days_max,
});
const express = {
  code: 'express',
  names: { en: 'Express', de: 'Express', fr: 'Express', es: 'Exprés', 'zh-Hans': '加急', 'zh-Hant': '加急' },
  days_min: 0,
  days_max: 0,
  cutoff: '12:00',
  weekdays: [1, 2, 3, 4, 5],
  max_weight_kg: 31.5,
};

export const DEMO_RATE_CARDS: Readonly<Record<Family, Card>> = {
  local_delivery: {
    services: [standard(1, 2), express],
    zones: GERMANY,
    lanes: LANES,
    weight: { basis: 'actual', step_kg: 0.5, min_kg: 0.5 },
    table: [
      {
        service: 'standard',
        lane: 'city',
        breaks: [
          { up_to_kg: 5, amount: '6.90' },
          { up_to_kg: 20, amount: '9.90' },
          { above_kg: 20, base: '9.90', per_kg: '0.40' },
        ],
      },
      {
        service: 'standard',
        lane: 'national',
        breaks: [
          { up_to_kg: 5, amount: '8.90' },
          { up_to_kg: 20, amount: '13.90' },
          { above_kg: 20, base: '13.90', per_kg: '0.65' },
        ],
      },
      { service: 'express', lane: 'city', breaks: [{ up_to_kg: 31.5, amount: '19.90' }] },
    ],
    packages: { first: 'each', further: { percent: '60' } },
    surcharges: [
      {
        code: 'evening',
        names: { en: 'Evening delivery', de: 'Abendzustellung' },
        when: [{ field: 'window_start', op: '>=', value: '18:00' }],
        amount: { flat: '4.50' },
        fuelable: false,
        taxable: true,
      },
    ],
    fuel: FUEL,
    cancellation_fee: { flat: '5.00' },
    taxes: [TAX],
  },
  label_service: {
    services: [standard(1, 3)],
    surcharges: [
      {
        code: 'handling',
        names: { en: 'Handling', de: 'Bearbeitung' },
        amount: { flat: '0.90' },
        fuelable: false,
        taxable: true,
      },
    ],
    taxes: [TAX],
  },
  shipping_service: {
    services: [standard(2, 4)],
    ...NATIONAL,
    weight: PARCEL,
    table: [
      {
        service: 'standard',
        lane: 'national',
        breaks: [
          { up_to_kg: 2, amount: '5.40' },
          { up_to_kg: 10, amount: '8.20' },
          { up_to_kg: 31.5, amount: '15.60' },
        ],
      },
    ],
    minimum: '5.90',
    fuel: FUEL,
    taxes: [TAX],
  },
  ltl_service: {
    services: [standard(2, 3)],
    ...NATIONAL,
    weight: { basis: 'greater', divisor: 3_000, step_kg: 10, min_kg: 50 },
    table: [{ service: 'standard', lane: 'national', breaks: [{ above_kg: 0, base: '45.00', per_kg: '0.22' }] }],
    fuel: FUEL,
    taxes: [TAX],
  },
  storage_service: {
    services: [standard(0, 0)],
    storage: {
      free_days: 7,
      tiers: [
        { from_day: 8, per: 'package', per_day: '0.20' },
        { from_day: 31, per: 'package', per_day: '0.45' },
      ],
      max_days: 90,
    },
    taxes: [TAX],
  },
  moving_service: {
    services: [standard(0, 0)],
    distance: {
      road_factor: '1.3',
      bands: [
        { up_to_km: 30, base: '120.00', per_km: '1.80' },
        { up_to_km: 800, base: '174.00', per_km: '1.20' },
      ],
    },
    items: [
      { code: 'box', amount: '2.90' },
      { code: 'helper_hour', amount: '32.00' },
    ],
    fuel: FUEL,
    taxes: [TAX],
  },
  device_order: {
    services: [standard(0, 0)],
    device: [
      {
        cell_size: 'M',
        bands: [
          { minutes_from: 0, minutes_to: 60, amount: '1.50' },
          { minutes_from: 60, minutes_to: 1_440, amount: '4.00' },
          { minutes_from: 1_440, amount: '7.00' },
        ],
        day_cap: '4.00',
      },
    ],
    taxes: [{ ...TAX, inclusive: true }],
  },
};
