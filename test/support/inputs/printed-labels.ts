/** Labels as carriers without a network print them. */
import fc from 'fast-check';
import type { PrintedLabel } from '../../../src/engines/outside/carriers/services.js';

/** The number with its check digit. `digits`: the first 17 digits. */
export function ssccOf(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

export const LABEL: PrintedLabel = {
  carrier: 'Demo Express',
  service: 'Next day, Europe',
  number: { scheme: 'sscc', value: ssccOf('34012345000000001') },
  from: {
    company: 'Demo Logistics GmbH',
    street: 'Westhafenstraße 1',
    postal_code: '13353',
    city: 'Berlin',
    country: 'DE',
  },
  to: {
    name: 'Ada Muster',
    company: 'Lovelace Ltd',
    street: 'Invalidenstraße 44',
    street_2: 'Hinterhaus',
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    phone: '+49 30 1234567',
  },
  ship_date: '2026-12-01',
  weight_kg: 12.5,
  piece: [1, 3],
  order_ref: 'WEB-1001',
};

/** Texts of addresses, and texts that attack a printer or a viewer. */
const text = fc.oneof(
  fc.constantFrom(
    'Ada',
    'Łódź',
    'Невский проспект 20',
    'Οδός Ερμού 15',
    'मुंबई',
    '渋谷区神南一丁目',
    '忠孝東路',
    '세종대로 110',
  ),
  fc.constantFrom(
    '^XZ^XA^FO10,10^FDForged^FS',
    '~JA~DGR:X',
    '\\&\\^',
    '_5EXZ',
    '<svg onload="x">&amp;',
    '(x) Tj ET Q',
    '>;>8',
  ),
  fc.string({ maxLength: 40, unit: fc.constantFrom(...'abcÄß ^~\\_<>&()01') }),
  fc.string({ minLength: 200, maxLength: 255, unit: fc.constantFrom(...'WwMi ') }),
);
const maybe = fc.option(text, { nil: undefined });
const stop = fc.record({
  name: maybe,
  company: maybe,
  phone: maybe,
  email: maybe,
  street: maybe,
  street_2: maybe,
  city: maybe,
  region: maybe,
  postal_code: fc.option(fc.string({ maxLength: 20, unit: fc.constantFrom(...'0123456789AZ- ') }), { nil: undefined }),
  country: fc.constantFrom('DE', 'JP', 'CN', 'TW', 'KR', 'IN', 'GR', 'RU', 'PL', 'US'),
});

/** Any valid label. */
export const anyLabel: fc.Arbitrary<PrintedLabel> = fc.record({
  carrier: text,
  service: text,
  number: fc.record({
    scheme: fc.constant('sscc' as const),
    value: fc.string({ minLength: 17, maxLength: 17, unit: fc.constantFrom(...'0123456789') }).map(ssccOf),
  }),
  from: stop,
  to: stop,
  ship_date: fc.constantFrom('2026-01-01', '2026-12-31'),
  weight_kg: fc.double({ min: 0, max: 99_999, noNaN: true }).map((kg) => Math.round(kg * 1_000) / 1_000),
  piece: fc
    .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 9_999 }))
    .map(([one, other]): [number, number] => [Math.min(one, other), Math.max(one, other)]),
  order_ref: maybe,
});
