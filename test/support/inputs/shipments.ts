/** A simple rate card and a shipment that it prices, for tests over HTTP. */

/** A valid rate card: one service within Germany, by weight. `more`: members that replace members of the card. */
export const simpleCard = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  services: [{ code: 'standard', names: { en: 'Standard', de: 'Normalversand' }, days_min: 1, days_max: 2 }],
  zones: [{ code: 'de', match: [{ country: 'DE' }] }],
  lanes: [{ from: 'de', to: 'de', lane: 'national' }],
  weight: { basis: 'actual', step_kg: 1, min_kg: 1 },
  table: tableOf([
    { up_to_kg: 5, amount: '4.90' },
    { above_kg: 5, base: '4.90', per_kg: '0.50' },
  ]),
  taxes: [{ code: 'vat', names: { en: 'VAT' }, percent: '19', inclusive: false }],
  quote_valid_minutes: 60,
  ...more,
});

/** The table of the service, with other weight breaks. */
export const tableOf = (breaks: readonly object[]): object[] => [{ service: 'standard', lane: 'national', breaks }];

/** A shipment within Germany, for `ordersRate`. */
export const shipment = (more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  type: 'P2P',
  pickup: { country: 'DE', postal_code: '10115' },
  delivery: { country: 'DE', postal_code: '80331' },
  packages: [{ weight_kg: 2 }],
  ...more,
});

/** A complete address in the area of the postal code, as orders need it. */
export const stopIn = (postal_code: string) => ({
  name: 'Ada Lovelace',
  street: 'Hauptstraße 1',
  city: 'Berlin',
  country: 'DE',
  postal_code,
});
