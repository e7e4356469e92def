/** The Postgres log while appends are queued: readers that a caller awaits come first, and no reader is forgotten. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type pg from 'pg';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { migrate } from '../../../src/engines/postgres/migrate.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import { START, type EventLog } from '../../../src/events/core/log.js';
import { freshDatabase } from '../../support/worlds/database.js';

interface Received {
  batches: number;
  readonly ids: string[];
}

describe('Postgres log while appends are queued', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let pool: pg.Pool;
  let log: EventLog;
  let stopping: AbortController;
  let writing: boolean;
  before(async () => {
    database = await freshDatabase();
    pool = createPool(database.url, { name: 'contract', max: 12 });
    await migrate(pool);
    log = createPostgresLog(pool);
    stopping = new AbortController();
  });
  after(async () => {
    writing = false;
    stopping.abort();
    await log.close();
    await pool.end();
    await database.drop();
  });

  /** Appends one event after the other, each to a new stream, while `writing` is true. */
  async function write(): Promise<string[]> {
    const ids: string[] = [];
    while (writing) {
      const id = randomUUID();
      const [outcome] = await log.append([
        {
          stream: `scan-${id}`,
          expected: 'no-stream',
          events: [{ id, type: 'Scanned', version: 1, json: JSON.stringify({ id }), metadata: {} }],
        },
      ]);
      expect(outcome).to.include({ outcome: 'appended' });
      ids.push(id);
    }
    return ids;
  }

  function follow(isAwaited: boolean): Received {
    const received: Received = { batches: 0, ids: [] };
    void (async () => {
      for await (const { events } of log.subscribe(START, {
        prefixes: ['scan-'],
        batch: 100_000,
        signal: stopping.signal,
        isAwaited: () => isAwaited,
      })) {
        if (events.length > 0) received.batches++;
        received.ids.push(...events.map(({ id, data }) => (expect(data).to.deep.equal({ id }), id)));
      }
    })();
    return received;
  }

  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await sleep(5);
  };

  it('wakes readers that no caller awaits now and then, the others at once; both get all events once and in order', async () => {
    const [awaited, other] = [follow(true), follow(false)];
    writing = true;
    const writers = Array.from({ length: 16 }, write);
    // The awaited reader has had its share of the queue when the other reader is woken twice more. So the awaited
    // reader does not fall behind in the meantime.
    await until(() => awaited.batches > 100);
    const before = [awaited.batches, other.batches] as const;
    await until(() => other.batches > before[1] + 1);
    const [many, few] = [awaited.batches - before[0], other.batches - before[1]];
    writing = false;
    const written = (await Promise.all(writers)).flat();
    await until(() => awaited.ids.length === written.length && other.ids.length === written.length);
    expect(many / few).to.be.above(50);
    expect(new Set(other.ids)).to.deep.equal(new Set(written));
    expect(other.ids).to.deep.equal(awaited.ids);
  });
});
