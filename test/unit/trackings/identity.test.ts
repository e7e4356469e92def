/** Derived ids, compared with a direct implementation of UUID version 5 (RFC 9562 section 5.5). */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { NAMESPACE, derivedId } from '../../../src/events/otep/identity.js';

function version5(name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

describe('a derived id', () => {
  it('is the version 5 UUID of its parts, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()), { minLength: 1 }), (parts) => {
        expect(derivedId(...parts)).to.equal(version5(parts.join('\u0000')));
      }),
    );
  });

  it('is correct for names of every length, long or short, one after the other', () => {
    for (const letter of ['x', 'ä', '包', '📦']) {
      for (const length of [0, 1, 1_364, 1_365, 1_366, 4_096, 4_097, 100_000, 3])
        expect(derivedId(letter.repeat(length)), `${length} ${letter}`).to.equal(version5(letter.repeat(length)));
    }
  });
});
