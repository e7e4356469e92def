import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { shared } from '../../../src/engines/eventstore/shared.js';

describe('a shared question', () => {
  it('is asked behind everybody who gets its answer, and not once for each', async () => {
    let asked = 0;
    const question = shared(async () => {
      const number = ++asked;
      await sleep(5);
      return number;
    });
    const first = question();
    await sleep(1);
    const later = [question(), question(), question()];
    expect(await first).to.equal(1);
    expect(await Promise.all(later)).to.deep.equal([2, 2, 2]);
    expect(await question()).to.equal(3);
  });

  it('fails for those who asked, and is asked again', async () => {
    let asked = 0;
    const question = shared(async () => {
      if (++asked === 1) throw new Error('away');
      return asked;
    });
    const both = await Promise.allSettled([question(), question()]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled']);
    expect(await question()).to.equal(3);
  });
});
