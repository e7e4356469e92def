/** The normal form of addresses: spelling does not distinguish addresses, but names and places do (address book R2). */
import { expect } from 'chai';
import { createAddressKeyOf, normalAddress } from '../../../src/events/addresses/normal-form.js';
import type { Stop } from '../../../src/events/orders/events.js';

const ADA: Stop = {
  name: 'Ada Lovelace',
  street: 'Invalidenstraße 44',
  street_2: 'Apt. 4',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};
const isSame = (more: Partial<Stop>, base: Stop = ADA) => normalAddress({ ...base, ...more }) === normalAddress(base);

describe('the normal form of an address', () => {
  const SPELLINGS: readonly Partial<Stop>[] = [
    { name: '  ada   LOVELACE ' },
    { street: 'INVALIDENSTR. 44' },
    { street: 'Invalidenstr 44' },
    { street_2: '# 4' },
    { street_2: 'Apartment 4' },
    { street: 'Invalidenstraße 44, Apt 4', street_2: undefined },
    { city: 'BERLIN' },
    { postal_code: 'D-10115' },
    { postal_code: 'DE 10115' },
    { region: 'BE' },
    { phone: '+49 30 123' },
    { email: 'ada@example.com' },
    { country: 'de' },
  ];
  for (const spelling of SPELLINGS)
    it(`is the same with ${JSON.stringify(spelling)}`, () => expect(isSame(spelling)).to.equal(true));

  const OTHERS: readonly Partial<Stop>[] = [
    { name: 'Charles Babbage' },
    { company: 'Analytical Engines' },
    { street: 'Invalidenstraße 45' },
    { street_2: 'Apt. 5' },
    { city: 'Hamburg' },
    { postal_code: '10117' },
    { country: 'AT' },
  ];
  for (const other of OTHERS) it(`differs with ${JSON.stringify(other)}`, () => expect(isSame(other)).to.equal(false));

  const MARKED: readonly (readonly [script: string, one: string, other: string])[] = [
    ['Devanagari', 'मीरा', 'मोरा'],
    ['kana', 'かとう', 'がとう'],
    ['Thai', 'สม', 'สมี'],
    ['Tamil', 'கமலா', 'கமலி'],
  ];
  for (const [script, one, other] of MARKED)
    it(`differs by the marks of ${script}`, () => {
      expect(isSame({ name: other }, { ...ADA, name: one })).to.equal(false);
      expect(isSame({ name: one.normalize('NFD') }, { ...ADA, name: one }), 'another encoding').to.equal(true);
    });

  it('is the same with and without accents of the Latin, Greek and Cyrillic scripts', () => {
    for (const [one, other] of [
      ['Zoë Müller', 'ZOE MULLER'],
      ['Νίκος', 'ΝΙΚΟΣ'],
      ['Алёна', 'Алена'],
    ])
      expect(isSame({ name: other }, { ...ADA, name: one }), one).to.equal(true);
  });

  it('has the form of postal codes of each country', () => {
    expect(isSame({ postal_code: '94105-1420' }, { ...ADA, postal_code: '94105', country: 'US' })).to.equal(true);
    expect(isSame({ postal_code: 'm5v2t6' }, { ...ADA, postal_code: 'M5V 2T6', country: 'CA' })).to.equal(true);
    expect(isSame({ postal_code: 'BA1111' }, { ...ADA, postal_code: 'BB1111', country: 'BN' })).to.equal(false);
    expect(isSame({ region: 'ON' }, { ...ADA, postal_code: undefined, region: 'QC' }), 'without one').to.equal(false);
  });

  it('has another key for each owner', () => {
    const keyOf = createAddressKeyOf((text) => Buffer.from(text));
    const owners = [
      { business: 1, customerId: null },
      { business: 1, customerId: 5 },
      { business: 15, customerId: null },
    ];
    const keys = owners.map((owner) => keyOf(owner, ADA).toString());
    expect(new Set(keys).size).to.equal(3);
  });
});
