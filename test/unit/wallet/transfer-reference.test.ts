/** Payment references of top-ups, and their check character by ISO 7064, MOD 37,36. */
import { expect } from 'chai';
import fc from 'fast-check';
import { checkCharacterOf, topUpOf, transferReference } from '../../../src/events/wallet/transfer-reference.js';

const id = fc.integer({ min: 1, max: 2_147_483_647 });

describe('payment references', () => {
  it('have the check character of the standard', () => {
    // The example of the Global Release Identifier, which uses MOD 37,36: A1-2425G-ABC1234002-M.
    expect(checkCharacterOf('A12425GABC1234002')).to.equal('M');
    expect([1, 2, 36, 2_147_483_647].map(transferReference)).to.deep.equal([
      'T00000001O',
      'T00000002M',
      'T00000010M',
      'T00ZIK0ZJW',
    ]);
  });

  it('lead to their top-up, however a bank prints them', () => {
    fc.assert(
      fc.property(id, (topUp) => {
        const reference = transferReference(topUp);
        expect(reference).to.match(/^T[0-9A-Z]{9}$/);
        expect(topUpOf(reference)).to.equal(topUp);
        expect(topUpOf(` ${reference.toLowerCase().replace(/^(.{4})/, '$1 -')} `)).to.equal(topUp);
      }),
    );
  });

  it('find every single wrong character', () => {
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: 9 }), character, (topUp, place, wrong) => {
        const reference = transferReference(topUp);
        fc.pre(reference[place] !== wrong);
        expect(topUpOf(reference.slice(0, place) + wrong + reference.slice(place + 1))).to.equal(undefined);
      }),
    );
  });

  it('are rejected with another form, or with an id that no top-up has', () => {
    const zero = `T00000000${checkCharacterOf('T00000000')}`;
    const tooHigh = `TZZZZZZZZ${checkCharacterOf('TZZZZZZZZ')}`;
    for (const text of ['', 'T', 'X00000001O', 'T00000001O1', 'T0000000Ö1', zero, tooHigh])
      expect(topUpOf(text), text).to.equal(undefined);
  });
});
