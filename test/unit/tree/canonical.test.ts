import canonicalize from 'canonicalize';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonical } from '../../../src/events/tree/canonical.js';
import { runs } from '../../support/depth.js';

describe('canonical JSON', () => {
  it('is that of RFC 8785, section 3.2.3', () => {
    const given = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    };
    expect(canonical(given)).to.equal(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by their UTF-16 code units, at every level', () => {
    const given = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '10': 5,
      '2': 6,
      '\ud83d\ude00': 7,
      '\u0080': 8,
      '\u00f6': { b: [{ d: 1, c: 2 }], a: -0 },
    };
    expect(canonical(given)).to.equal(
      '{"\\r":2,"1":4,"10":5,"2":6,"\u0080":8,"\u00f6":{"a":0,"b":[{"c":2,"d":1}]},"\u20ac":1,"\ud83d\ude00":7,"\ufb33":3}',
    );
  });

  it("equals that of the RFC author's implementation, for any document", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' }), (value) => {
        expect(canonical(value)).to.equal(canonicalize(value));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('is equal for documents that differ only in the order of their members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 250 }), (value) => {
        expect(canonical(Object.fromEntries(Object.entries(value).reverse()))).to.equal(canonical(value));
      }),
    );
  });
});
