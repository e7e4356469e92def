import { expect } from 'chai';
import fc from 'fast-check';
import { formatPosition, isLogPosition, parsePosition } from '../../../src/engines/eventstore/position.js';
import { START } from '../../../src/events/core/log.js';

const position = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }))
  .map(([commit, prepare]) => ({ commit, prepare }));

describe('EventStoreDB positions', () => {
  it('can be read from their text, and are recognised by it', () => {
    fc.assert(
      fc.property(position, (value) => {
        const text = formatPosition(value);
        expect(isLogPosition(text)).to.equal(true);
        expect(parsePosition(text)).to.deep.equal(value);
      }),
    );
  });

  it('sort as text in the order of the log', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const inLog = a.commit === b.commit ? a.prepare < b.prepare : a.commit < b.commit;
        expect(formatPosition(a) < formatPosition(b)).to.equal(inLog);
        expect(START < formatPosition(a)).to.equal(true);
      }),
    );
  });

  it('end at the maximum number of the server', () => {
    expect(isLogPosition(formatPosition({ commit: 2n ** 63n, prepare: 0n }))).to.equal(false);
    expect(isLogPosition(START)).to.equal(false);
    expect(parsePosition(START)).to.equal(undefined);
  });
});
