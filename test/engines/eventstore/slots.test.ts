import { expect } from 'chai';
import { Slots } from '../../../src/engines/eventstore/slots.js';
import { LogUnavailable } from '../../../src/events/core/log.js';

describe('slots', () => {
  it('reject a task that has waited too long, and run the next', async () => {
    const slots = new Slots(1, 20);
    let release = (): void => undefined;
    const holder = slots.run(() => new Promise<void>((resolve) => (release = resolve)));
    let ran = false;
    const refused = await slots.run(async () => (ran = true)).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(LogUnavailable);
    release();
    await holder;
    expect(await slots.run(async () => 'served')).to.equal('served');
    expect(ran, 'nor is it run later').to.equal(false);
  });

  it('limit concurrent tasks over all callers, and keep the order of results', async () => {
    const slots = new Slots(3, 10_000);
    let [running, maxRunning] = [0, 0];
    const task = async (n: number): Promise<number> => {
      maxRunning = Math.max(maxRunning, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, n % 3));
      running -= 1;
      return n * 2;
    };
    const items = Array.from({ length: 20 }, (_, n) => n);
    const results = await Promise.all([slots.map(items, task), slots.map(items, task)]);
    for (const result of results) expect(result).to.deep.equal(items.map((n) => n * 2));
    expect(maxRunning).to.equal(3);
  });
});
