/** N18: every notation of a GS1 identifier that a push accepts finds the parcel again. */
import { expect } from 'chai';
import { readSubject } from '../../../src/events/otep/check/subject.js';
import { gs1ParcelIn } from '../../../src/events/otep/gs1-parcel.js';
import { identifiersOf } from '../../../src/events/trackings/events.js';
import { namings, openIdentifiers } from '../../../src/projections/trackings/naming.js';
import { subjectOf } from '../../../src/serializers/epcis/identifiers.js';

/** One identifier of each kind: EPC URN, Digital Link, element string. */
const NOTATIONS: Readonly<Record<string, readonly string[]>> = {
  SSCC: [
    'urn:epc:id:sscc:4012345.7777777777',
    'https://id.gs1.org/00/740123457777777775',
    'https://carrier.example/a/b/00/740123457777777775',
    '(00)740123457777777775',
    '(00) 7 4012345 7777777775',
  ],
  SGTIN: [
    'urn:epc:id:sgtin:4012345.099999.S1',
    'https://id.gs1.org/01/04012345999990/21/S1',
    'https://shop.example/01/04012345999990/21/S1',
    '(01)04012345999990(21)S1',
  ],
  GRAI: ['urn:epc:id:grai:4012345.77777.K1', 'https://id.gs1.org/8003/04012345777772K1', '(8003)04012345777772K1'],
  GIAI: ['urn:epc:id:giai:4012345.A/7'.replace('/', '%2F'), 'https://id.gs1.org/8004/4012345A%2F7', '(8004)4012345A/7'],
  GINC: ['urn:epc:id:ginc:4012345.C7', 'https://id.gs1.org/401/4012345C7', '(401)4012345C7'],
  GSRN: ['urn:epc:id:gsrn:4012345.7777777777', '(8018)401234577777777775'],
};

const accepted = (subject: object) => {
  const read = readSubject(subject, { path: '' });
  expect(read.errors, JSON.stringify(subject)).to.deep.equal([]);
  return read.subject!;
};
const finds = (asked: string, subject: Parameters<typeof namings>[0]): boolean =>
  namings(subject, { since: '', since_at: '' }).some(({ identifier }) => openIdentifiers(asked).includes(identifier));

describe('GS1 identifiers', () => {
  for (const [kind, notations] of Object.entries(NOTATIONS))
    it(`${kind}: every notation names one parcel (field-tracking F5)`, () => {
      const [parcel, ...others] = notations.map((text) => gs1ParcelIn(text));
      expect(parcel).to.not.equal(undefined);
      for (const other of others) expect(other).to.deep.equal(parcel);
      expect(subjectOf(notations[0]!), 'as in EPCIS').to.deep.equal(parcel);
      const subjects = notations.flatMap((text) => [
        accepted({ tracking_number: text }),
        accepted({ piece_id: text }),
        accepted({ external_tracking_number: text }),
        subjectOf(text.startsWith('(') ? notations[0]! : text),
      ]);
      for (const subject of subjects)
        for (const asked of notations)
          expect(finds(asked, subject), `${asked} ${JSON.stringify(subject)}`).to.equal(true);
      const keys = notations.flatMap((text) => [
        identifiersOf(accepted({ tracking_number: text })),
        identifiersOf(accepted({ piece_id: text })),
      ]);
      for (const key of keys) expect(key).to.deep.equal(keys[0]);
    });

  it('an SSCC is also found by its digits', () => {
    const subject = accepted({ gs1_sscc: '740123457777777775' });
    for (const asked of ['740123457777777775', '00740123457777777775', ...NOTATIONS['SSCC']!])
      expect(finds(asked, subject), asked).to.equal(true);
  });

  it('other texts are none', () => {
    for (const text of [
      '740123457777777775',
      'A1',
      'urn:uuid:x',
      'https://x.example/track/1',
      '(00)740123457777777774',
      '()',
    ])
      expect(gs1ParcelIn(text), text).to.equal(undefined);
    expect(accepted({ tracking_number: '740123457777777775' })).to.deep.equal({
      tracking_number: '740123457777777775',
    });
  });
});
