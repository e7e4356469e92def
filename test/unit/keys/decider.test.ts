/** Keys of a log: recorded only where they change. */
import { expect } from 'chai';
import { keys } from '../../../src/commands/keys/decider.js';
import { given } from '../../support/checks/given.js';

const [a, b] = [{ fingerprint: 'a' }, { fingerprint: 'b' }];

describe('decider of keys', () => {
  it('records a key that differs from the previous one', () => {
    expect(given(keys, a).when(a).types).to.deep.equal([]);
    expect(given(keys, a).when(b).facts).to.deep.equal([{ type: 'KeyTakenIntoUse', data: { fingerprint: 'b' } }]);
  });

  it('records the return of an earlier key as a new event', () => {
    const back = given(keys, a, b).when(a);
    expect(back.types).to.deep.equal(['KeyTakenIntoUse']);
    expect(given(keys).when(a).ids).to.not.deep.equal(back.ids);
  });
});
