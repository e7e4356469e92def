/** Codes that scanners read from labels. */
import { expect } from 'chai';
import { variantsOf } from '../../../src/api/areas/handling/codes.js';

const SSCC = '340123450000000017';
const GTIN = '04006381333931';
const FNC1 = '\u001d';

describe('scanned codes', () => {
  it('are unchanged, without control characters of scanners', () => {
    expect(variantsOf(' ]C0OT19Y6 ')[0]).to.equal('OT19Y6');
    expect(variantsOf('OT-19Y6')).to.include('OT-19Y6');
  });

  it('warehouse R12: of a label have its SSCC, at any position', () => {
    for (const read of [
      `]C100${SSCC}`,
      `(00)${SSCC}`,
      `]C100${SSCC}400ORDER1`,
      `]C100${SSCC}37120`,
      `]C102${GTIN}37120${FNC1}00${SSCC}`,
      `]C1400ORDER1${FNC1}00${SSCC}`,
      `]C13102001500${'00' + SSCC}400ORDER1`,
    ])
      expect(variantsOf(read), read).to.include(SSCC);
  });

  it('have its GTIN, also as a number of 13 digits', () => {
    for (const read of [`]C101${GTIN}`, `]C101${GTIN}10LOT7`, `]d201${GTIN}`])
      expect(variantsOf(read), read).to.include.members([GTIN, GTIN.slice(1)]);
  });

  it('have no SSCC if the code has none', () => {
    expect(variantsOf(`]C1400ORDER00${SSCC}`)).to.not.include(SSCC);
    expect(variantsOf('0012345')).to.deep.equal(['0012345']);
  });
});
