/** Which parcels need a customs declaration. */
import { expect } from 'chai';
import { needsCustoms } from '../../../src/api/areas/labels/customs-territories.js';

const place = (text: string) => {
  const [country = '', postal_code, region] = text.split(' ');
  return { country, ...(postal_code && { postal_code }), ...(region && { region }) };
};

describe('a customs declaration', () => {
  for (const [from, to] of [
    ['DE 10115', 'DE 80331'],
    ['DE 10115', 'FR 75001'],
    ['FR 06000', 'MC 98000'],
    ['CH 8001', 'LI 9490'],
    ['GB', 'IM'],
    ['US 10001 NY', 'PR 00901'],
    ['ES 35001', 'ES 38001'],
    ['JP', 'JP'],
  ] as const)
    it(`is not needed from ${from} to ${to}`, () => {
      expect(needsCustoms(place(from), place(to))).to.equal(false);
      expect(needsCustoms(place(to), place(from))).to.equal(false);
    });

  for (const [from, to] of [
    ['DE 10115', 'CH 8001'],
    ['DE 10115', 'GB SW1A1AA'],
    ['ES 28001', 'ES 35001'],
    ['DE 10115', 'DE 27498'],
    ['DE 10115', 'FI FI-22100'],
    ['IT 20121', 'IT 23041'],
    ['FR 75001', 'FR 97110'],
    ['US 10001 NY', 'US 09005 AE'],
    ['US 10001 NY', 'CA K1A0A1'],
    ['FR 75001', 'GP 97110'],
  ] as const)
    it(`is needed from ${from} to ${to}`, () => {
      expect(needsCustoms(place(from), place(to))).to.equal(true);
      expect(needsCustoms(place(to), place(from))).to.equal(true);
    });
});
