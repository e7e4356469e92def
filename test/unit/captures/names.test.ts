/** EPCIS identifiers: GS1 keys as URN and as digital link, check digits, private URNs, URIs of places. */
import { expect } from 'chai';
import fc from 'fast-check';
import { checkDigit, hasCheckDigit, isGln, isSscc, withCheckDigit } from '../../../src/events/otep/gs1.js';
import type { Subject } from '../../../src/events/otep/model.js';
import { DEFAULT_PREFIXES } from '../../../src/serializers/epcis/context.js';
import { canonicalUri } from '../../../src/events/otep/digital-link.js';
import { epcOf, subjectOf } from '../../../src/serializers/epcis/identifiers.js';
import { bareWord, BIZ_STEP, DISPOSITION, webUri } from '../../../src/serializers/epcis/names.js';
import { placeUri, locationOf } from '../../../src/serializers/epcis/places.js';
import { isUri } from '../../../src/serializers/epcis/uri.js';
import { location, sscc } from '../../support/inputs/timelines.js';

describe('EPCIS names', () => {
  it('verify the check digit of GS1 keys', () => {
    expect(checkDigit('629104150021')).to.equal('3');
    expect(isGln('4012345000009')).to.equal(true);
    for (const wrong of ['4012345000008', '401234500000', '40123450000x9', ''])
      expect(isGln(wrong), wrong).to.equal(false);
    fc.assert(
      fc.property(sscc, fc.nat(17), fc.integer({ min: 1, max: 9 }), (number, at, shift) => {
        expect(isSscc(number)).to.equal(true);
        const changed = number.slice(0, at) + String((Number(number[at]) + shift) % 10) + number.slice(at + 1);
        expect(isSscc(changed), 'one digit wrong').to.equal(false);
      }),
    );
    expect(hasCheckDigit(withCheckDigit('1'))).to.equal(true);
  });

  it('give an SSCC the same name as a URN with any company prefix and as a link with any domain', () => {
    fc.assert(
      fc.property(
        sscc,
        fc.integer({ min: 6, max: 12 }),
        fc.constantFrom('https://id.gs1.org', 'http://x.example/a/b', 'https://x.example'),
        fc.constantFrom('', '?a=1', '#x', '/'),
        (number, length, domain, tail) => {
          const urn = `urn:epc:id:sscc:${number.slice(1, length + 1)}.${number[0]}${number.slice(length + 1, 17)}`;
          for (const name of [urn, `${domain}/00/${number}${tail}`]) {
            expect(canonicalUri(name)).to.equal(`https://id.gs1.org/00/${number}`);
            expect(subjectOf(name)).to.deep.equal({ gs1_sscc: number });
          }
        },
      ),
    );
  });

  const LINKS: Readonly<Record<string, string>> = {
    'urn:epc:id:sgtin:0614141.712345.32a%2Fb': '01/70614141123451/21/32a%2Fb',
    'urn:epc:id:sgtin:0614141.712345.a.b!c': '01/70614141123451/21/a.b%21c',
    'urn:epc:class:lgtin:4012345.012345.998877': '01/04012345123456/10/998877',
    'urn:epc:idpat:sgtin:4012345.012345.*': '01/04012345123456',
    'urn:epc:id:upui:4012345.012345.AB12': '01/04012345123456/235/AB12',
    'urn:epc:id:sgln:4012345.00001.0': '414/4012345000016',
    'urn:epc:id:sgln:4012345.00001.400': '414/4012345000016/254/400',
    'urn:epc:id:sgln:401234500001..7': '414/4012345000016/254/7',
    'urn:epc:id:pgln:4012345.00001': '417/4012345000016',
    'urn:epc:id:grai:4012345.55555.987': '8003/04012345555554987',
    'urn:epc:id:giai:4000001.12:3': '8004/400000112%3A3',
    'urn:epc:id:gsrn:4012345.9876540000': '8018/401234598765400000',
    'urn:epc:id:gdti:4012345.55555.98': '253/401234555555498',
    'urn:epc:id:ginc:4012345.333': '401/4012345333',
    'urn:epc:id:gsin:4012345.999987654': '402/40123459999876541',
    'urn:epc:id:cpi:4012345.ABC.123': '8010/4012345ABC/8011/123',
    'urn:epc:id:itip:4012345.012345.01.02.999': '8006/040123451234560102/21/999',
    'https://x.example/shop/01/614141123452/22/2A/10/L1/21/S1?17=270101': '01/00614141123452/21/S1',
    'https://x.example/01/00614141123452/22/2A': '01/00614141123452',
    'https://x.example/8003/04012345555554987/': '8003/04012345555554987',
    // The short key names of early digital links.
    'https://x.example/gtin/614141123452/lot/L1/ser/S1': '01/00614141123452/21/S1',
    'https://x.example/shop/gtin/04012345123456/10/998877?x=1': '01/04012345123456/10/998877',
    'https://x.example/sscc/040123450000001112': '00/040123450000001112',
    'https://x.example/gln/4012345000115/glnx/987': '414/4012345000115/254/987',
  };

  it('write every GS1 key as its canonical link, which is its own canonical form', () => {
    for (const [name, link] of Object.entries(LINKS)) {
      expect(canonicalUri(name), name).to.equal(`https://id.gs1.org/${link}`);
      expect(canonicalUri(canonicalUri(name))).to.equal(canonicalUri(name));
    }
  });

  it('leave names without a GS1 key unchanged', () => {
    for (const other of [
      'urn:epc:id:sgtin:0614141.71234.32',
      'urn:epc:id:sscc:0614141.abcdefghij',
      'urn:epc:id:foo:4012345.1',
      'urn:epc:idpat:sgtin:4012345.*.*',
      'urn:x:00/1',
      'https://carrier.example/obj/00/123',
      'https://carrier.example/sscc/123',
      'https://carrier.example/401/abc',
      'https://x.example/01/00614141123452/offers',
      'https://x.example/00',
      'https://x.example',
    ]) {
      expect(canonicalUri(other)).to.equal(other);
    }
  });

  it('find a parcel by the name that it was given', () => {
    const number = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
    const members = [
      'tracking_number',
      'external_tracking_number',
      'package_id',
      'piece_id',
      'order_id',
      'gs1_sscc',
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...members), number, (member, text) => {
        fc.pre(member !== 'piece_id' || !isUri(text));
        const subject: Subject = { [member]: text };
        const epc = epcOf(subject)!;
        expect(isUri(epc), epc).to.equal(true);
        expect(subjectOf(epc)).to.deep.equal(subject);
      }),
    );
    expect(epcOf({})).to.equal(undefined);
  });

  it('give every place a URI, and read its number, code, coordinates or address from it', () => {
    fc.assert(
      fc.property(location, (place) => {
        const id = placeUri(place, 'acme: express');
        if (id === undefined) return;
        expect(isUri(id), id).to.equal(true);
        const read = locationOf(id);
        if (place.code !== undefined) expect(read).to.deep.equal({ code: place.code });
        else if (read.latitude !== undefined)
          expect(
            [read.latitude - place.latitude!, read.longitude! - place.longitude!].every(
              (error) => Math.abs(error) < 1e-8,
            ),
          ).to.equal(true);
        else for (const [member, value] of Object.entries(read)) expect(place).to.have.property(member, value);
      }),
    );
  });

  it("know a term in all five forms, and other vocabularies' terms by their full name", () => {
    const prefixes = new Map([
      ...DEFAULT_PREFIXES,
      ['words', 'https://ref.gs1.org/cbv/'],
      ['ex', 'https://x.example/ns#'],
    ]);
    for (const form of [
      'departing',
      'https://ref.gs1.org/cbv/BizStep-departing',
      'cbv:BizStep-departing',
      'words:BizStep-departing',
      'urn:epcglobal:cbv:bizstep:departing',
    ]) {
      expect(bareWord(form, BIZ_STEP, prefixes)).to.equal('departing');
      expect(webUri(form, BIZ_STEP, prefixes)).to.equal('https://ref.gs1.org/cbv/BizStep-departing');
    }
    expect(bareWord('urn:epcglobal:cbv:disp:in_transit', DISPOSITION, prefixes)).to.equal('in_transit');
    expect(bareWord('ex:out', BIZ_STEP, prefixes)).to.equal('https://x.example/ns#out');
    expect(bareWord('https://ref.gs1.org/cbv/BizStep-flying', BIZ_STEP, prefixes)).to.equal(
      'https://ref.gs1.org/cbv/BizStep-flying',
    );
  });
});
