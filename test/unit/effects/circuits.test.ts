import { expect } from 'chai';
import { createCircuits } from '../../../src/engines/outside/circuits.js';

const account = { adapter: 'a', account: '1' };

describe('circuit breakers of external systems', () => {
  let time = 0;
  const circuits = createCircuits({ openMs: 30_000, now: () => time });
  const fail = (times: number) => Array.from({ length: times }, () => circuits.note(account, false));

  it('open after five failures in a row, for 30 s, for this account only', () => {
    fail(4);
    circuits.note(account, true);
    fail(4);
    expect(circuits.waitOf(account)).to.equal(0);
    fail(1);
    expect(circuits.waitOf(account)).to.equal(30_000);
    expect(circuits.waitOf({ adapter: 'a', account: '2' })).to.equal(0);
    expect(circuits.waitOf({ adapter: 'b', account: '1' })).to.equal(0);
  });

  it('then allow calls; the next failure opens again, a result closes', () => {
    time += 30_000;
    expect(circuits.waitOf(account)).to.equal(0);
    fail(1);
    expect(circuits.waitOf(account)).to.equal(30_000);
    time += 30_000;
    circuits.note(account, true);
    fail(4);
    expect(circuits.waitOf(account)).to.equal(0);
  });
});
