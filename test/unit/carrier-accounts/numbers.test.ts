/** SSCC numbers and their ranges: check digits, extension, and numbers that two accounts must not share. */
import { expect } from 'chai';
import {
  checkDigit,
  numberOf,
  overlap,
  takenRanges,
  withDrawn,
  withRange,
} from '../../../src/events/carrier-accounts/numbers.js';
import { rangeOf, sheetSettings } from '../../../src/engines/outside/carriers/sheet/settings.js';

const range = (prefix: string, from: number, to: number) => ({ prefix, from, to });

describe('numbers of carrier accounts', () => {
  it('have the check digit of GS1', () => {
    // Examples of the GS1 General Specifications and of the GS1 check digit calculator.
    expect(checkDigit('37610425002123456')).to.equal('9');
    expect(checkDigit('00614141123456789')).to.equal('0');
    expect(numberOf({ prefix: '3761042500', serial: 2_123_456 })).to.equal('376104250021234569');
    expect(numberOf({ prefix: '04012345', serial: 7 })).to.have.length(18);
    for (let serial = 0; serial < 2_000; serial += 7) {
      const digits = [...numberOf({ prefix: '14012345', serial })].map(Number);
      // Independent rule: the weighted sum of all 18 digits is a multiple of 10.
      expect(digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 3 : 1), 0) % 10).to.equal(0);
    }
  });

  it('follow from the settings of a sheet account', () => {
    const settings = { rate_card_id: 1, carrier_name: 'Vans', company_prefix: '4012345678' };
    expect(rangeOf(sheetSettings.parse(settings))).to.deep.equal({
      scheme: 'sscc',
      prefix: '04012345678',
      from: 0,
      to: 999_999,
    });
    const refused = (more: object) => sheetSettings.safeParse({ ...settings, ...more }).error?.issues[0]?.path[0];
    expect(refused({ serial_to: 1_000_000 })).to.equal('serial_to');
    expect(refused({ serial_from: 1_000_000 })).to.equal('serial_from');
    expect(refused({ serial_from: 5, serial_to: 4 })).to.equal('serial_from');
    expect(refused({ company_prefix: '401234' })).to.equal('company_prefix');
    expect(refused({ extension_digit: '10' })).to.equal('extension_digit');
  });

  it('continue in an extended range, and keep only the drawn part of a replaced one', () => {
    const drawn = withDrawn(withDrawn(withRange([], range('04012345', 0, 9)), { serial: 0 }), { serial: 1 });
    expect(withRange(drawn, range('04012345', 0, 99))).to.deep.equal([{ ...range('04012345', 0, 99), next: 2 }]);
    const replaced = withRange(drawn, range('14012345', 5, 9));
    expect(replaced).to.deep.equal([
      { ...range('04012345', 0, 1), next: 2 },
      { ...range('14012345', 5, 9), next: 5 },
    ]);
    expect(withRange(replaced, range('24012345', 0, 9))).to.deep.equal([
      { ...range('04012345', 0, 1), next: 2 },
      { ...range('24012345', 0, 9), next: 0 },
    ]);
    // The first range again: its numbers are not drawn twice.
    expect(withRange(replaced, range('04012345', 0, 9)).at(-1)).to.deep.equal({ ...range('04012345', 0, 9), next: 2 });
    expect(takenRanges(replaced, range('04012345', 1, 9))).to.deep.equal([range('04012345', 0, 1)]);
    expect(takenRanges(replaced, range('04012345', 0, 9))).to.be.empty;
  });

  it('overlap if the complete numbers do, whatever the length of the prefix', () => {
    expect(overlap(range('04012345', 0, 9), range('04012345', 9, 20))).to.equal(true);
    expect(overlap(range('04012345', 0, 9), range('04012345', 10, 20))).to.equal(false);
    expect(overlap(range('04012345', 0, 9), range('14012345', 0, 9))).to.equal(false);
    // 0 4012345 6 00000000 is in the range of the shorter prefix.
    expect(overlap(range('04012345', 600_000_000, 699_999_999), range('040123456', 0, 0))).to.equal(true);
    expect(overlap(range('04012345', 0, 599_999_999), range('040123456', 0, 99_999_999))).to.equal(false);
  });
});
