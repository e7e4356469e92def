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
    ['DE D-78266', 'CH 8001'],
    ['DE 78266', 'LI 9490'],
    ['DE 27498', 'DE D-27498'],
    ['GB IM11AE', 'GB SW1A1AA'],
    ['GB JE23AB', 'JE JE11AA'],
    ['GB gy11aa', 'GG GY11AA'],
    ['GB BT11AA', 'IE D02AF30'],
    ['DE 10115', 'GB BT70AA'],
    ['US 96910', 'GU 96929'],
    ['US 10001 GU', 'GU'],
    ['US 00802', 'VI'],
    ['US 96799', 'AS'],
    ['US 00901 PR', 'US 10001 NY'],
    ['FI FI-22100', 'AX 22150'],
    ['FI 22100', 'FI AX-22100'],
    ['FR F-97400', 'RE 97410'],
    ['FR 97150', 'MF 97150'],
    ['ES E-35001', 'ES 38001'],
    ['DE 27568', 'DE 27497'],
    ['PT 9000-001', 'PT 1000-001'],
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
    ['DE 10115', 'DE D-27498'],
    ['DE 10115', 'DE D-78266'],
    ['DE 27498', 'DE 78266'],
    ['ES 28001', 'ES E-51001'],
    ['ES 28001', 'ES 52001'],
    ['ES 51001', 'ES 52001'],
    ['GR 10431', 'GR GR-63087'],
    ['GR 10431', 'GR 63086'],
    ['IT 20121', 'IT I-23041'],
    ['IT 20121', 'IT 22061'],
    ['FI 00100', 'AX 22100'],
    ['FR 97110', 'FR 97200'],
    ['FR 75001', 'FR F-98800'],
    ['DK 1050', 'DK DK-3900'],
    ['GB SW1A1AA', 'GB GY11AA'],
    ['GB SW1A1AA', 'GB je23ab'],
    ['GB JE23AB', 'GB GY11AA'],
    ['IM IM11AE', 'JE JE23AB'],
    ['GB SW1A1AA', 'IE D02AF30'],
    ['GB BT11AA', 'US 10001 NY'],
    ['GB BT11AA', 'DE 27498'],
    ['US 10001 NY', 'US 96910'],
    ['US 10001 NY', 'US 00802 VI'],
    ['US 10001 NY', 'VI 00802'],
    ['US 00901 PR', 'US 96799 AS'],
    ['US 96910', 'MP 96950'],
    ['US 10001 NY', 'US 96201'],
  ] as const)
    it(`is needed from ${from} to ${to}`, () => {
      expect(needsCustoms(place(from), place(to))).to.equal(true);
      expect(needsCustoms(place(to), place(from))).to.equal(true);
    });
});
