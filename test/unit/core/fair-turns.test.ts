/** Expensive work, alternating between clients: password hashes and introspection. */
import { expect } from 'chai';
import { createFairTurns, TurnRefused } from '../../../src/engines/fair-turns.js';
import { inPasswordTurn, PasswordsBusy } from '../../../src/engines/passwords.js';

/** Work that ends when the test says so. */
function controlled() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)!();
    await settle();
  };
  return { started, work, end, settle };
}
const refused = (error: unknown): string => (error as Error).name;

describe('fair turns', () => {
  it('start the clients in alternation, not in the order of their calls', async () => {
    const { started, work, end, settle } = controlled();
    const inTurn = createFairTurns({ atOnce: 1, maxWaiting: 10, maxWaitingPerClient: 10 });
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => inTurn(name[0]!, work(name)));
    await settle();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3']);
    expect(await Promise.all(calls)).to.deep.equal(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('refuse a client that has its maximum of waiting calls', async () => {
    const { work, end, settle } = controlled();
    const inTurn = createFairTurns({ atOnce: 1, maxWaiting: 10, maxWaitingPerClient: 1 });
    const calls = [inTurn('a', work('1')), inTurn('a', work('2'))];
    expect(await inTurn('a', work('3')).catch(refused)).to.equal(TurnRefused.name);
    const other = inTurn('b', work('4'));
    await settle();
    for (const name of ['1', '2', '4']) await end(name);
    await Promise.all([...calls, other]);
  });

  it('make room for a new client in a full queue, by the last call of the client with the most', async () => {
    const { started, work, end, settle } = controlled();
    const inTurn = createFairTurns({ atOnce: 1, maxWaiting: 3, maxWaitingPerClient: 3 });
    const calls = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => inTurn(name[0]!, work(name)).catch(refused));
    await settle();
    for (const name of ['a1', 'a2', 'b1', 'a3']) await end(name);
    expect(await Promise.all(calls)).to.deep.equal(['a1', 'a2', 'a3', TurnRefused.name, 'b1']);
    expect(started).to.not.include('a4');
  });

  it('pass on after work that fails', async () => {
    const inTurn = createFairTurns({ atOnce: 1, maxWaiting: 1, maxWaitingPerClient: 1 });
    const failing = inTurn('a', () => Promise.reject(new Error('no')));
    const next = inTurn('a', () => Promise.resolve('yes'));
    expect(await failing.catch((error: Error) => error.message)).to.equal('no');
    expect(await next).to.equal('yes');
  });
});

describe('M3: a flood of sign-ins', () => {
  /** 600 sign-ins at once. Returns the number of started calls. */
  function flood(from: (index: number) => string, account: (index: number) => string) {
    let isOver = false;
    let started = 0;
    const waiting: (() => void)[] = [];
    const calls = Array.from({ length: 600 }, (_, index) =>
      inPasswordTurn(from(index), account(index), () => {
        started++;
        return isOver ? Promise.resolve('checked') : new Promise<string>((end) => waiting.push(() => end('checked')));
      }).catch(refused),
    );
    return {
      started: () => started,
      async end() {
        isOver = true;
        for (const end of waiting) end();
        return Promise.all(calls);
      },
    };
  }
  const count = (outcomes: readonly string[], wanted: string) => outcomes.filter((one) => one === wanted).length;
  const NETWORK = '203.0.113.7';

  it('of one network leaves a sign-in of another one its turn', async () => {
    const { started, end } = flood(
      () => NETWORK,
      (index) => `user ${index}`,
    );
    const other = inPasswordTurn('198.51.100.1', 'honest', () => Promise.resolve('checked'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(started()).to.equal(4);
    const outcomes = await end();
    expect(await other).to.equal('checked');
    expect([count(outcomes, 'checked'), count(outcomes, PasswordsBusy.name)]).to.deep.equal([32, 568]);
  });

  it('for one account leaves another account of the same network its turn', async () => {
    const { end } = flood(
      () => NETWORK,
      () => 'victim',
    );
    const other = inPasswordTurn(NETWORK, 'honest', () => Promise.resolve('checked'));
    expect(count(await end(), 'checked')).to.equal(8);
    expect(await other).to.equal('checked');
  });

  it('of many addresses of one IPv6 /64 is a flood of one network', async () => {
    const { end } = flood(
      (index) => `2001:db8::${index.toString(16)}`,
      (index) => `user ${index}`,
    );
    const other = inPasswordTurn('2001:db8:0:1::1', 'honest', () => Promise.resolve('checked'));
    expect(count(await end(), 'checked')).to.equal(32);
    expect(await other).to.equal('checked');
  });

  it('of many networks of one IPv6 /48 is a flood of one site, and an office keeps its sign-ins', async () => {
    const { end } = flood(
      (index) => `2001:db8:0:${index.toString(16)}::1`,
      (index) => `user ${index}`,
    );
    const others = ['a', 'b', 'c'].map((name) =>
      inPasswordTurn('2001:db8:1::1', name, () => Promise.resolve('checked')).catch(refused),
    );
    expect(count(await end(), 'checked')).to.equal(32);
    expect(await Promise.all(others)).to.deep.equal(['checked', 'checked', 'checked']);
  });

  it('of many networks leaves a sign-in of another one its turn', async () => {
    const { end } = flood(
      (index) => `203.0.113.${index % 8}`,
      (index) => `user ${index}`,
    );
    const other = inPasswordTurn('198.51.100.1', 'honest', () => Promise.resolve('checked'));
    await end();
    expect(await other).to.equal('checked');
  });
});
