/** Rounds of queued events: fair between businesses, in order within an order, and nothing is lost after a failure. */
import { expect } from 'chai';
import { createFairRounds, type FairRounds } from '../../../src/commands/orders/fair-rounds.js';
import { eventually } from '../../support/eventually.js';

interface Item {
  readonly business: number;
  readonly order_id: number;
  readonly position: number;
}

/** A queue in memory, with the rule of the one in PostgreSQL. */
class Queue {
  items: Item[] = [];
  largest = 0;

  add(business: number, orders: readonly number[]): void {
    for (const order_id of orders) this.items.push({ business, order_id, position: this.items.length });
  }

  next = async ({
    after,
    businesses,
    share,
    except,
  }: {
    after: number;
    businesses: number;
    share: number;
    except: readonly number[];
  }) => {
    const chosen = [...new Set(this.items.map(({ business }) => business))]
      .filter((business) => business > after)
      .sort((a, b) => a - b)
      .slice(0, businesses);
    const items = chosen.flatMap((one) =>
      this.items.filter(({ business, order_id }) => business === one && !except.includes(order_id)).slice(0, share),
    );
    this.largest = Math.max(this.largest, items.length);
    return { items, last: chosen.at(-1) };
  };

  remove = async (items: readonly Item[]) => void (this.items = this.items.filter((item) => !items.includes(item)));
}

const range = (count: number, from = 0): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('fair rounds', () => {
  let stop: AbortController;
  let running: Promise<void> | undefined;
  beforeEach(() => void (stop = new AbortController()));
  afterEach(async () => {
    stop.abort();
    await running;
  });

  function start(queue: Queue, handle: (items: readonly Item[]) => Promise<void>, errors: unknown[] = []): FairRounds {
    const rounds = createFairRounds<Item>({
      next: queue.next,
      remove: queue.remove,
      handle,
      onError: (error) => errors.push(error),
      pauseMs: 5,
    });
    running = rounds.run(stop.signal);
    return rounds;
  }

  it("scale 2: a small business's event is handled before the backlog of a large one, and of fifty large ones", async () => {
    for (const large of [[1], range(50, 1)]) {
      const queue = new Queue();
      for (const business of large) queue.add(business, range(400, business * 10_000));
      queue.add(99, [7]);
      const handled: Item[] = [];
      const inner = new AbortController();
      const rounds = createFairRounds<Item>({
        next: queue.next,
        remove: queue.remove,
        handle: async (items) => void handled.push(...items),
        onError: (error) => expect.fail(String(error)),
      });
      const run = rounds.run(inner.signal);
      await eventually(() => queue.items.length === 0, 'an empty queue');
      inner.abort();
      await run;
      // At most one round of 20 businesses, or two of them, comes before.
      expect(handled.findIndex(({ business }) => business === 99)).to.be.within(0, 400);
      expect(handled).to.have.length(large.length * 400 + 1);
    }
  });

  it('reads a bounded part of the queue in each round', async () => {
    const queue = new Queue();
    for (const business of range(60, 1)) queue.add(business, range(500, business * 10_000));
    start(queue, async () => undefined);
    await eventually(() => queue.items.length === 0, 'an empty queue');
    expect(queue.largest).to.be.within(100, 2_000);
  });

  it('events of one order never overlap and keep their order; other orders run at the same time', async () => {
    const queue = new Queue();
    queue.add(
      1,
      range(600).map((n) => n % 30),
    );
    const seen = new Map<number, number[]>();
    const active = new Set<number>();
    let most = 0;
    start(queue, async (items) => {
      const order = items[0]!.order_id;
      expect(new Set(items.map(({ order_id }) => order_id)).size).to.equal(1);
      expect(active.has(order), `order ${order} is handled twice at a time`).to.equal(false);
      active.add(order);
      most = Math.max(most, active.size);
      await new Promise(setImmediate);
      seen.set(order, [...(seen.get(order) ?? []), ...items.map(({ position }) => position)]);
      active.delete(order);
    });
    await eventually(() => queue.items.length === 0, 'an empty queue');
    expect(most).to.be.within(2, 16);
    for (const positions of seen.values()) expect(positions).to.deep.equal([...positions].sort((a, b) => a - b));
    expect([...seen.values()].flat()).to.have.length(600);
  });

  it('an order that fails stays in the queue, and delays no other order', async () => {
    const queue = new Queue();
    queue.add(1, [5, ...range(300, 100)]);
    queue.add(2, [6]);
    let isBroken = true;
    const handled: number[] = [];
    const errors: unknown[] = [];
    start(
      queue,
      async (items) => {
        if (isBroken && items[0]!.order_id === 5) throw new Error('broken');
        handled.push(...items.map(({ order_id }) => order_id));
      },
      errors,
    );
    await eventually(() => queue.items.length === 1, 'all but the broken order');
    expect(queue.items[0]).to.include({ order_id: 5 });
    expect(errors).to.not.be.empty;
    isBroken = false;
    await eventually(() => queue.items.length === 0, 'the order that works again');
    expect(handled).to.have.length(302);
  });

  it('an order that fails in each of the first twenty businesses delays none of the others', async () => {
    const queue = new Queue();
    const failing = new Set(range(20, 1));
    for (const business of failing) queue.add(business, [business]);
    for (const business of range(30, 21)) queue.add(business, range(20, business * 100));
    let isHandled = () => false;
    start(queue, async ([item]) => {
      isHandled = () => queue.items.length === failing.size;
      if (failing.has(item!.order_id)) throw new Error('broken');
    });
    await eventually(() => isHandled(), 'all but the broken orders');
    expect(queue.items.map(({ order_id }) => order_id)).to.have.members([...failing]);
  });

  it('more events of one failing order than a round takes delay no other order', async () => {
    const queue = new Queue();
    queue.add(
      1,
      range(250).map(() => 5),
    );
    queue.add(1, range(50, 100));
    start(queue, async ([item]) => {
      if (item!.order_id === 5) throw new Error('broken');
    });
    await eventually(() => queue.items.length === 250, 'all but the broken order');
    expect(queue.items.every(({ order_id }) => order_id === 5)).to.equal(true);
  });

  it('a failure of everything removes nothing, and all is handled when it ends', async () => {
    const queue = new Queue();
    queue.add(1, range(150));
    let isDown = true;
    const handled: number[] = [];
    const errors: unknown[] = [];
    start(
      queue,
      async (items) => {
        if (isDown) throw new Error('down');
        handled.push(...items.map(({ order_id }) => order_id));
      },
      errors,
    );
    await eventually(() => errors.length >= 3, 'some rounds that fail');
    expect(queue.items).to.have.length(150);
    isDown = false;
    await eventually(() => queue.items.length === 0, 'an empty queue');
    expect(handled.sort((a, b) => a - b)).to.deep.equal(range(150));
  });

  it('wakes for events that come while it rests, and before it rests', async () => {
    const queue = new Queue();
    const rounds = start(queue, async () => undefined);
    for (const order of range(20)) {
      queue.add(1, [order]);
      rounds.wake();
      await eventually(() => queue.items.length === 0, `order ${order}`);
      if (order % 2 === 0) await new Promise(setImmediate);
    }
  });
});
