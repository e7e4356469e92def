import { expect } from 'chai';
import { Pressure } from '../../src/engines/postgres/pressure.js';

describe('the pressure of appends', () => {
  let now: number;
  let pressure: Pressure;
  beforeEach(() => {
    now = 1_000;
    pressure = new Pressure(() => now);
  });
  /** Whether it is high after so many milliseconds with a line, or without one. */
  const after = (ms: number, rising: boolean): boolean => {
    pressure.rising = rising;
    now += ms;
    return pressure.isHigh;
  };

  it('is high after 50 ms with a line', () => expect([after(0, true), after(49, true), after(1, true)]).to.deep.equal([false, false, true]));

  it('is not high without a line, however long that lasts', () => expect(after(60_000, false)).to.equal(false));

  it('outlives a moment without a line', () => {
    after(1_000, true);
    expect([after(20, false), after(5, true), after(20, false), after(1, true)]).to.deep.equal([true, true, true, true]);
  });

  it('is over 50 ms after the last append, however long the burst was', () => {
    after(60_000, true);
    expect([after(50, false), after(1, false)]).to.deep.equal([true, false]);
    after(60_000, false);
    expect(after(20, true), 'and forgotten').to.equal(false);
  });

  for (const [share, high] of [[0.7, false], [0.8, true]] as const)
    it(`is ${high ? 'high' : 'not high'} with a line for ${100 * share} % of the time`, () => {
      const seen: boolean[] = [];
      for (let turn = 0; turn < 200; turn++) seen.push(after(10 * share, true), after(10 * (1 - share), false));
      expect(seen.slice(-2)).to.deep.equal([high, high]);
    });
});
