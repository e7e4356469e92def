import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { Growth, type Ear } from '../../src/engines/postgres/growth.js';

const ORDERS = new Set(['order-']);
const TRACKINGS = new Set(['tracking-']);

describe('what tells readers that the log grew', () => {
  let growth: Growth;
  let ear: Ear;
  beforeEach(() => {
    growth = new Growth();
    ear = growth.listen(['order-']);
    ear.attend();
  });
  afterEach(() => growth.leave(ear));

  /** Whether it is heard in this turn of the event loop. */
  async function isHeard(by: Ear = ear): Promise<boolean> {
    let heard = false;
    void by.heard().then(() => (heard = true));
    await turn();
    return heard;
  }

  it('is heard at once where it grew in what they read', async () => {
    expect(await isHeard()).to.equal(false);
    growth.tell(ORDERS);
    expect(await isHeard()).to.equal(true);
  });

  it('is not lost between a look and the sleep behind it', async () => {
    growth.tell(ORDERS);
    expect(await isHeard()).to.equal(true);
    ear.attend();
    expect(await isHeard()).to.equal(false);
  });

  it('is heard some time later where it grew elsewhere', async () => {
    growth.tell(TRACKINGS);
    expect(await isHeard()).to.equal(false);
    await ear.heard();
  });

  it('is heard at once when somebody waits, by those that it passed by', async () => {
    const other = growth.listen(['tracking-']);
    other.attend();
    growth.tell(TRACKINGS);
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([false, true]);
    other.attend();
    growth.hurry();
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([true, false]);
    growth.leave(other);
  });

  it('is heard by all where nobody knows what grew, and by who reads everything or less than an area', async () => {
    const [everything, some] = [growth.listen(undefined), growth.listen(['tracking-4'])];
    for (const one of [everything, some]) one.attend();
    growth.tell(TRACKINGS);
    expect([await isHeard(), await isHeard(everything), await isHeard(some)]).to.deep.equal([false, true, true]);
    growth.tell(undefined);
    expect(await isHeard()).to.equal(true);
    for (const one of [everything, some]) growth.leave(one);
  });

  it('is looked for now and then, should nobody tell', () => ear.heard());
});
