import { setImmediate as turn, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { LogWakeups, type Listener } from '../../../src/engines/reading/log-wakeups.js';

const ORDERS = new Set(['order-']);
const TRACKINGS = new Set(['tracking-']);

describe('notification of log readers', () => {
  let wakeUps: LogWakeups;
  let listener: Listener;
  let now: number;
  let pressed: boolean;
  beforeEach(() => {
    now = 0;
    pressed = false;
    wakeUps = new LogWakeups(
      () => pressed,
      () => now,
    );
    listener = wakeUps.listen({ prefixes: ['order-'] });
    listener.reset();
  });
  afterEach(() => wakeUps.leave(listener));

  /** Whether the listener is notified in this turn of the event loop. */
  async function isHeard(by: Listener = listener): Promise<boolean> {
    let heard = false;
    void by.waitForEvents().then(() => (heard = true));
    await turn();
    return heard;
  }

  it('is immediate if the log grew in an area that they read', async () => {
    expect(await isHeard()).to.equal(false);
    wakeUps.notify(ORDERS);
    expect(await isHeard()).to.equal(true);
  });

  it('is not lost between a read and the following wait', async () => {
    wakeUps.notify(ORDERS);
    expect(await isHeard()).to.equal(true);
    listener.reset();
    expect(await isHeard()).to.equal(false);
  });

  it('is delayed if the log grew in another area', async () => {
    wakeUps.notify(TRACKINGS);
    expect(await isHeard()).to.equal(false);
    await listener.waitForEvents();
  });

  it('is immediate for an awaited reader that has passed other events', async () => {
    let awaited = false;
    const [other, reading] = [
      wakeUps.listen({ prefixes: ['route-'], isAwaited: () => awaited }),
      wakeUps.listen({ prefixes: ['tracking-'], isAwaited: () => true }),
    ];
    for (const one of [other, reading]) one.reset();
    wakeUps.notify(TRACKINGS);
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, false, true]);
    reading.reset();
    wakeUps.wakeAwaited();
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, false, false]);
    awaited = true;
    wakeUps.wakeAwaited();
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, true, false]);
    for (const one of [other, reading]) wakeUps.leave(one);
  });

  it('is delayed for background readers that no caller awaits', async () => {
    let awaited = false;
    const background = wakeUps.listen({ prefixes: ['order-'], background: true, isAwaited: () => awaited });
    background.reset();
    wakeUps.notify(ORDERS);
    expect([await isHeard(), await isHeard(background)]).to.deep.equal([true, false]);
    await background.waitForEvents();
    awaited = true;
    background.reset();
    wakeUps.notify(ORDERS);
    expect(await isHeard(background)).to.equal(true);
    wakeUps.leave(background);
  });

  it('is delayed for a reader that has just found events, unless a caller awaits it', async () => {
    let awaited = false;
    const busy = wakeUps.listen({ prefixes: ['order-'], isAwaited: () => awaited });
    const isNotified = async (): Promise<boolean> => {
      busy.reset();
      wakeUps.notify(ORDERS);
      return isHeard(busy);
    };
    expect(await isNotified(), 'nothing found yet').to.equal(true);
    busy.markFound();
    expect(await isNotified(), 'just now').to.equal(false);
    await busy.waitForEvents();
    awaited = true;
    expect(await isNotified(), 'waited for').to.equal(true);
    awaited = false;
    now += 1_000;
    expect(await isNotified(), 'rested').to.equal(true);
    wakeUps.leave(busy);
  });

  it('comes 50 ms after the last events that a reader found, not after the wakeUps', async () => {
    const [busy, background] = [
      wakeUps.listen({ prefixes: ['order-'] }),
      wakeUps.listen({ prefixes: ['order-'], background: true }),
    ];
    for (const one of [busy, background]) one.reset();
    busy.markFound();
    now += 30;
    wakeUps.notify(TRACKINGS);
    wakeUps.notify(ORDERS);
    await busy.waitForEvents();
    expect([await isHeard(busy), await isHeard(background)]).to.deep.equal([true, false]);
    for (const one of [busy, background]) wakeUps.leave(one);
  });

  it('is delayed by up to two seconds while appends are queued, unless a caller waits', async () => {
    let awaited = false;
    const other = wakeUps.listen({ prefixes: ['order-'], isAwaited: () => awaited });
    other.reset();
    pressed = true;
    wakeUps.notify(ORDERS);
    now = 1_999;
    await setTimeout(60);
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([false, false]);
    awaited = true;
    wakeUps.wakeAwaited();
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([false, true]);
    now = 2_000;
    await listener.waitForEvents();
    wakeUps.leave(other);
  });

  it('comes soon after the last queued append', async () => {
    pressed = true;
    wakeUps.notify(ORDERS);
    await setTimeout(60);
    expect(await isHeard()).to.equal(false);
    pressed = false;
    await listener.waitForEvents();
  });

  it('is not replaced by an early check if the wakeUps is known', async () => {
    pressed = true;
    wakeUps.notify(ORDERS);
    const heard = listener.waitForEvents().then(() => 'heard');
    expect(await Promise.race([heard, setTimeout(300, 'not yet')])).to.equal('not yet');
    pressed = false;
    expect(await heard).to.equal('heard');
  });

  it('reaches all readers if the area is unknown, and readers of everything or of part of an area', async () => {
    const [everything, some] = [wakeUps.listen({}), wakeUps.listen({ prefixes: ['tracking-4'] })];
    for (const one of [everything, some]) one.reset();
    wakeUps.notify(TRACKINGS);
    expect([await isHeard(), await isHeard(everything), await isHeard(some)]).to.deep.equal([false, true, true]);
    wakeUps.notify(undefined);
    expect(await isHeard()).to.equal(true);
    for (const one of [everything, some]) wakeUps.leave(one);
  });

  it('is replaced by occasional checks', () => listener.waitForEvents());
});
