/** Messages between processes through PostgreSQL notifications. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { createWakeUp } from '../../../src/engines/postgres-log/wake-up.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';

type Heard = string[] | 'anything';

describe('waking the readers of other processes', () => {
  let database: FreshDatabase;
  const closing: (() => Promise<unknown>)[] = [];
  beforeEach(async () => void (database = await freshDatabase()));
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await database.drop();
  });

  /** Listens like a separate process, and returns the notifications since it began to listen. */
  async function process() {
    const pool = createPool(database.url, { name: 'test', max: 2 });
    const heard: Heard[] = [];
    const wakeUp = createWakeUp(pool, 'channel', (names) => void heard.push(names ? [...names].sort() : 'anything'));
    closing.push(async () => {
      await wakeUp.close();
      await pool.end();
    });
    while (heard.length === 0) await sleep(5);
    heard.length = 0;
    return { pool, wakeUp, heard };
  }

  it('reaches the others, with all concurrent messages in one', async () => {
    const [one, other] = [await process(), await process()];
    one.wakeUp.announce(['order-']);
    one.wakeUp.announce(['tracking-', 'order-']);
    while (other.heard.length === 0) await sleep(5);
    expect(other.heard).to.deep.equal([['order-', 'tracking-']]);
  });

  it('does not come back to its sender', async () => {
    const [one, other] = [await process(), await process()];
    one.wakeUp.announce(['order-']);
    while (other.heard.length === 0) await sleep(5);
    other.wakeUp.announce(['tracking-']);
    while (one.heard.length === 0) await sleep(5);
    expect(one.heard).to.deep.equal([['tracking-']]);
  });

  it('means anything if there are too many names, and accepts messages without a sender', async () => {
    const [one, other] = [await process(), await process()];
    one.wakeUp.announce(Array.from({ length: 101 }, (_, n) => `area${n}-`));
    while (other.heard.length === 0) await sleep(5);
    await one.pool.query("select pg_notify('channel', 'order-,route-')");
    await one.pool.query('notify channel');
    while (other.heard.length < 3) await sleep(5);
    expect(other.heard).to.deep.equal(['anything', ['order-', 'route-'], 'anything']);
  });
});
