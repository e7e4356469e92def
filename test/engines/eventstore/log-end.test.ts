import { expect } from 'chai';
import { LogEnd } from '../../../src/engines/eventstore/log-end.js';

describe('the end of the log before an append', () => {
  let clock: number;
  let looks = 0;
  const ending = (look: (number: number) => Promise<string>): LogEnd =>
    new LogEnd(
      () => look(++looks),
      () => clock,
    );
  beforeEach(() => {
    clock = 0;
    looks = 0;
  });

  it('is looked for once for all appends of a moment, and again afterwards', async () => {
    const end = ending(async (number) => String(number));
    expect(await Promise.all([end.now(), end.now(), end.now()])).to.deep.equal(['1', '1', '1']);
    clock = 50;
    expect(await end.now()).to.equal('1');
    clock = 51;
    expect(await end.now()).to.equal('2');
  });

  it('is where this process saw an append, if that is further', async () => {
    const end = ending(async () => '5');
    await end.now();
    end.saw('7');
    end.saw('6');
    expect(await end.now()).to.equal('7');
    expect(looks).to.equal(1);
  });

  it('does not hold what was seen only afterwards', async () => {
    const end = ending(() => new Promise((resolve) => setTimeout(() => resolve('5'), 5)));
    const before = end.now();
    end.saw('7');
    expect(await before).to.equal('5');
  });

  it('is asked for again after a failure, by whoever comes next', async () => {
    const end = ending(async (number) => {
      if (number === 1) throw new Error('away');
      return String(number);
    });
    const both = await Promise.allSettled([end.now(), end.now()]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await end.now()).to.equal('2');
  });
});
