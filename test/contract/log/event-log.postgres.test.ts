/** The Postgres log: within one process, and with three processes on one database that see each other's appends. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type pg from 'pg';
import { toArguments } from '../../../src/engines/postgres-log/append-arguments.js';
import { createPostgresLog } from '../../../src/engines/postgres-log/log.js';
import { serializeAppend } from '../../../src/engines/postgres-log/written-append.js';
import { migrate } from '../../../src/engines/postgres/migrate.js';
import { createPool } from '../../../src/engines/postgres/pool.js';
import type { AppendOutcome, EventLog } from '../../../src/events/core/log.js';
import { freshDatabase } from '../../support/worlds/database.js';
import { startTcpProxy } from '../../support/fakes/tcp-proxy.js';
import type { OpenedLog } from './contract/opened.js';
import { eventLogContract } from './event-log.js';

/** Assigns positions and rolls back: a gap for which readers must not wait. */
async function rollBackAppend(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const events = [
      { id: randomUUID(), type: 'RolledBack', version: 1, json: '{}', metadata: {} },
      { id: randomUUID(), type: 'RolledBack', version: 1, json: '{}', metadata: {} },
    ];
    await client.query(
      'select log.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
      toArguments([serializeAppend({ stream: `gone-${randomUUID()}`, expected: 'no-stream', events })]),
    );
    await client.query('select pg_sleep(random() * 0.02)');
    await client.query('rollback');
  } finally {
    client.release();
  }
}

async function openOne(): Promise<OpenedLog> {
  const database = await freshDatabase();
  const { hostname, port } = new URL(database.url);
  const proxy = await startTcpProxy(hostname, Number(port || 5432));
  const through = new URL(database.url);
  through.hostname = '127.0.0.1';
  through.port = String(proxy.port);
  through.search = '';
  const pool = createPool(through.href, { name: 'contract', max: 12 });
  await migrate(pool);
  const log = createPostgresLog(pool);
  return {
    log,
    empty: true,
    faults: {
      loseAnswers: (count) => proxy.loseAnswerTo('log-append-events', count),
      resetConnections: proxy.cut,
      stop: proxy.close,
      start: proxy.open,
    },
    async close() {
      await log.close();
      await pool.end();
      await proxy.close();
      await database.drop();
    },
  };
}

async function openThree(): Promise<OpenedLog> {
  const database = await freshDatabase();
  const pools = Array.from({ length: 3 }, () => createPool(database.url, { name: 'contract', max: 12 }));
  await migrate(pools[0]!);
  const logs = pools.map(createPostgresLog);
  let turn = 0;
  // Two processes write in alternation. A third process reads; it has written nothing.
  const append: EventLog['append'] = (appends) => logs[turn++ % 2]!.append(appends);
  const log = new Proxy(logs[2]!, {
    get(reader, name) {
      const member: unknown = name === 'append' ? append : Reflect.get(reader, name);
      return typeof member === 'function' ? (member.bind(reader) as unknown) : member;
    },
  });
  return {
    log,
    empty: true,
    disturb: () => rollBackAppend(pools[0]!),
    async close() {
      await Promise.all(logs.map((each) => each.close()));
      await Promise.all(pools.map((each) => each.end()));
      await database.drop();
    },
  };
}

eventLogContract('PostgreSQL, one process', openOne);
eventLogContract('PostgreSQL, three processes', openThree);

describe('two processes that append the same streams at once', () => {
  it('have no deadlock, and one of them is first', async () => {
    const database = await freshDatabase();
    const pools = [
      createPool(database.url, { name: 'contract', max: 4 }),
      createPool(database.url, { name: 'contract', max: 4 }),
    ] as const;
    await migrate(pools[0]);
    const [one, other] = pools.map(createPostgresLog) as [EventLog, EventLog];
    const append = () => ({
      stream: `test-${randomUUID()}`,
      expected: 'no-stream' as const,
      events: Array.from({ length: 3 }, () => ({
        id: randomUUID(),
        type: 'Scanned',
        version: 1,
        json: '{}',
        metadata: {},
      })),
    });
    const each = async (log: EventLog, appends: ReturnType<typeof append>[]) =>
      (await Promise.all(appends.map((single) => log.append([single])))).flat();
    try {
      for (let round = 0; round < 20; round++) {
        const appends = Array.from({ length: 50 }, append);
        const [forth, back] = await Promise.all([each(one, appends), each(other, appends.toReversed())]);
        const first = (outcome: AppendOutcome) => outcome.outcome === 'appended' && !outcome.repeated;
        expect(
          forth.map((outcome, index) => Number(first(outcome)) + Number(first(back[appends.length - 1 - index]!))),
        ).to.deep.equal(appends.map(() => 1));
      }
      const { rows } = await pools[0].query<{ deadlocks: number }>(
        'select deadlocks::int from pg_stat_database where datname = current_database()',
      );
      expect(rows[0]!.deadlocks).to.equal(0);
    } finally {
      await Promise.all([one.close(), other.close()]);
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    }
  });
});

describe('a process of the previous version', () => {
  it('appends under the same rules while it still runs', async () => {
    const database = await freshDatabase();
    const pool = createPool(database.url, { name: 'contract', max: 2 });
    await migrate(pool);
    const log = createPostgresLog(pool);
    const [stream, ids] = [`test-${randomUUID()}`, [randomUUID(), randomUUID()]];
    const append = async (expected: number) =>
      (
        await pool.query<Record<string, unknown>>(
          "select revision, first_position, last_position, repeated from log.append($1, $2, '{1,1}', $3, $4, '{First,Second}', '{1,2}', $5, '{1,1}', '[{\"by\": \"before\"}]')",
          [[stream], [expected], [expected + 1, expected + 2], ids, '[{"text": "ä€"}, {"n":2}]'],
        )
      ).rows[0];
    try {
      const appended = await append(-1);
      expect(appended).to.deep.include({ revision: 1, repeated: false });
      const events = (await log.readMany([stream])).get(stream)!;
      expect(
        events.map(({ revision, id, type, version, data, metadata }) => ({
          revision,
          id,
          type,
          version,
          data,
          metadata,
        })),
      ).to.deep.equal([
        { revision: 0, id: ids[0], type: 'First', version: 1, data: { text: 'ä€' }, metadata: { by: 'before' } },
        { revision: 1, id: ids[1], type: 'Second', version: 2, data: { n: 2 }, metadata: { by: 'before' } },
      ]);
      expect(await append(-1), 'the same ids again').to.deep.equal({ ...appended, repeated: true });
      expect(await append(7), 'a wrong expectation').to.deep.equal({
        revision: 1,
        first_position: null,
        last_position: null,
        repeated: false,
      });
    } finally {
      await log.close();
      await pool.end();
      await database.drop();
    }
  });
});
