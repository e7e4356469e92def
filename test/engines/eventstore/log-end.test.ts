import { expect } from 'chai';
import { LogEnd } from '../../../src/engines/eventstore/log-end.js';

describe('end of the log before an append', () => {
  let clock: number;
  let reads = 0;
  const createLogEnd = (readEnd: (number: number) => Promise<string>): LogEnd =>
    new LogEnd(
      () => readEnd(++reads),
      () => clock,
    );
  beforeEach(() => {
    clock = 0;
    reads = 0;
  });

  it('is read once for all concurrent appends, and again afterwards', async () => {
    const end = createLogEnd(async (number) => String(number));
    expect(await Promise.all([end.now(), end.now(), end.now()])).to.deep.equal(['1', '1', '1']);
    clock = 50;
    expect(await end.now()).to.equal('1');
    clock = 51;
    expect(await end.now()).to.equal('2');
  });

  it('is the position of a later append of this process', async () => {
    const end = createLogEnd(async () => '5');
    await end.now();
    end.observe('7');
    end.observe('6');
    expect(await end.now()).to.equal('7');
    expect(reads).to.equal(1);
  });

  it('excludes events that were seen only afterwards', async () => {
    const end = createLogEnd(() => new Promise((resolve) => setTimeout(() => resolve('5'), 5)));
    const before = end.now();
    end.observe('7');
    expect(await before).to.equal('5');
  });

  it('is read again after a failure, by the next caller', async () => {
    const end = createLogEnd(async (number) => {
      if (number === 1) throw new Error('away');
      return String(number);
    });
    const both = await Promise.allSettled([end.now(), end.now()]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await end.now()).to.equal('2');
  });
});
