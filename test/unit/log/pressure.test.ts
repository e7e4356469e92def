import { expect } from 'chai';
import { BurstDetector, type Load } from '../../../src/engines/postgres-log/burst-detector.js';

describe('append pressure', () => {
  let now: number;
  let pressure: BurstDetector;
  beforeEach(() => {
    now = 1_000;
    pressure = new BurstDetector(() => now);
  });
  /** Whether the pressure is high after this load has lasted for `ms` milliseconds. */
  const after = (ms: number, load: Load): boolean => {
    pressure.load = load;
    now += ms;
    return pressure.isHigh;
  };
  const LINE = 'one call behind the other';

  it('is high after 50 ms with a queue', () =>
    expect([after(0, LINE), after(49, LINE), after(1, LINE)]).to.deep.equal([false, false, true]));

  for (const load of ['nothing', 'one call'] as const)
    it(`is not high with ${load} to write, however long that lasts`, () => expect(after(60_000, load)).to.equal(false));

  it('survives a moment without a queue', () => {
    after(1_000, LINE);
    expect([
      after(20, 'nothing'),
      after(30, 'one call'),
      after(5, LINE),
      after(20, 'nothing'),
      after(30, 'one call'),
    ]).to.deep.equal([true, true, true, true, true]);
  });

  it('ends 50 ms after the last append, however long the burst was', () => {
    after(60_000, LINE);
    expect([after(50, 'nothing'), after(1, 'nothing')]).to.deep.equal([true, false]);
    after(60_000, 'nothing');
    expect(after(20, LINE), 'and forgotten').to.equal(false);
  });

  for (const [share, high] of [
    [0.7, false],
    [0.8, true],
  ] as const)
    it(`is ${high ? 'high' : 'not high'} with a queue for ${100 * share} % of the time`, () => {
      const seen: boolean[] = [];
      for (let turn = 0; turn < 200; turn++) seen.push(after(10 * share, LINE), after(10 * (1 - share), 'nothing'));
      expect(seen.slice(-2)).to.deep.equal([high, high]);
    });
});
