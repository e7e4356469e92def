import { setImmediate as turn, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Growth, type Ear } from '../../../src/engines/reading/growth.js';

const ORDERS = new Set(['order-']);
const TRACKINGS = new Set(['tracking-']);

describe('notification of log readers', () => {
  let growth: Growth;
  let ear: Ear;
  let now: number;
  let pressed: boolean;
  beforeEach(() => {
    now = 0;
    pressed = false;
    growth = new Growth(
      () => pressed,
      () => now,
    );
    ear = growth.listen({ prefixes: ['order-'] });
    ear.attend();
  });
  afterEach(() => growth.leave(ear));

  /** Whether the listener is notified in this turn of the event loop. */
  async function isHeard(by: Ear = ear): Promise<boolean> {
    let heard = false;
    void by.heard().then(() => (heard = true));
    await turn();
    return heard;
  }

  it('is immediate if the log grew in an area that they read', async () => {
    expect(await isHeard()).to.equal(false);
    growth.tell(ORDERS);
    expect(await isHeard()).to.equal(true);
  });

  it('is not lost between a read and the following wait', async () => {
    growth.tell(ORDERS);
    expect(await isHeard()).to.equal(true);
    ear.attend();
    expect(await isHeard()).to.equal(false);
  });

  it('is delayed if the log grew in another area', async () => {
    growth.tell(TRACKINGS);
    expect(await isHeard()).to.equal(false);
    await ear.heard();
  });

  it('is immediate for an awaited reader that has passed other events', async () => {
    let awaited = false;
    const [other, reading] = [
      growth.listen({ prefixes: ['route-'], isAwaited: () => awaited }),
      growth.listen({ prefixes: ['tracking-'], isAwaited: () => true }),
    ];
    for (const one of [other, reading]) one.attend();
    growth.tell(TRACKINGS);
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, false, true]);
    reading.attend();
    growth.hurry();
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, false, false]);
    awaited = true;
    growth.hurry();
    expect([await isHeard(), await isHeard(other), await isHeard(reading)]).to.deep.equal([false, true, false]);
    for (const one of [other, reading]) growth.leave(one);
  });

  it('is delayed for background readers that no caller awaits', async () => {
    let awaited = false;
    const patient = growth.listen({ prefixes: ['order-'], patient: true, isAwaited: () => awaited });
    patient.attend();
    growth.tell(ORDERS);
    expect([await isHeard(), await isHeard(patient)]).to.deep.equal([true, false]);
    await patient.heard();
    awaited = true;
    patient.attend();
    growth.tell(ORDERS);
    expect(await isHeard(patient)).to.equal(true);
    growth.leave(patient);
  });

  it('is delayed for a reader that has just found events, unless a caller awaits it', async () => {
    let awaited = false;
    const busy = growth.listen({ prefixes: ['order-'], isAwaited: () => awaited });
    const tell = async (): Promise<boolean> => {
      busy.attend();
      growth.tell(ORDERS);
      return isHeard(busy);
    };
    expect(await tell(), 'nothing found yet').to.equal(true);
    busy.found();
    expect(await tell(), 'just now').to.equal(false);
    await busy.heard();
    awaited = true;
    expect(await tell(), 'waited for').to.equal(true);
    awaited = false;
    now += 1_000;
    expect(await tell(), 'rested').to.equal(true);
    growth.leave(busy);
  });

  it('comes 50 ms after the last events that a reader found, not after the growth', async () => {
    const [busy, patient] = [
      growth.listen({ prefixes: ['order-'] }),
      growth.listen({ prefixes: ['order-'], patient: true }),
    ];
    for (const one of [busy, patient]) one.attend();
    busy.found();
    now += 30;
    growth.tell(TRACKINGS);
    growth.tell(ORDERS);
    await busy.heard();
    expect([await isHeard(busy), await isHeard(patient)]).to.deep.equal([true, false]);
    for (const one of [busy, patient]) growth.leave(one);
  });

  it('is delayed by up to two seconds while appends are queued, unless a caller waits', async () => {
    let awaited = false;
    const other = growth.listen({ prefixes: ['order-'], isAwaited: () => awaited });
    other.attend();
    pressed = true;
    growth.tell(ORDERS);
    now = 1_999;
    await setTimeout(60);
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([false, false]);
    awaited = true;
    growth.hurry();
    expect([await isHeard(), await isHeard(other)]).to.deep.equal([false, true]);
    now = 2_000;
    await ear.heard();
    growth.leave(other);
  });

  it('comes soon after the last queued append', async () => {
    pressed = true;
    growth.tell(ORDERS);
    await setTimeout(60);
    expect(await isHeard()).to.equal(false);
    pressed = false;
    await ear.heard();
  });

  it('is not replaced by an early check if the growth is known', async () => {
    pressed = true;
    growth.tell(ORDERS);
    const heard = ear.heard().then(() => 'heard');
    expect(await Promise.race([heard, setTimeout(300, 'not yet')])).to.equal('not yet');
    pressed = false;
    expect(await heard).to.equal('heard');
  });

  it('reaches all readers if the area is unknown, and readers of everything or of part of an area', async () => {
    const [everything, some] = [growth.listen({}), growth.listen({ prefixes: ['tracking-4'] })];
    for (const one of [everything, some]) one.attend();
    growth.tell(TRACKINGS);
    expect([await isHeard(), await isHeard(everything), await isHeard(some)]).to.deep.equal([false, true, true]);
    growth.tell(undefined);
    expect(await isHeard()).to.equal(true);
    for (const one of [everything, some]) growth.leave(one);
  });

  it('is replaced by occasional checks', () => ear.heard());
});
