/** Id sequences that restart although the log does not: new ids are higher than all existing ones. */
import { expect } from 'chai';
import pg from 'pg';
import { createIds } from '../../../src/engines/postgres/ids.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { freshDatabase, query } from '../../support/worlds/database.js';
import { ORDER } from '../../support/worlds/orders.js';
import { positionOf, startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const SEQUENCES = ['users', 'businesses', 'orders', 'routes', 'assignments'] as const;
type Ids = Record<(typeof SEQUENCES)[number], number>;

describe('sequences of ids', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  before(async () => (database = await freshDatabase()));
  after(() => database.drop());

  const start = (seed: boolean) => startTestService({ databaseUrl: database.url, seed });
  const restart = async () => {
    for (const name of SEQUENCES) await query(database.url, `alter sequence access.${name}_id restart`);
  };
  let demo: TestService['demo'];

  /** Creates one of each over HTTP. */
  async function one(t: TestService): Promise<Ids> {
    const as = signIns({ ...t, demo });
    const made = async (path: string, user: 'client_admin' | 'platform_admin', body: object, status: number) => {
      const answer = await t.api(path, { key: await as(user), body });
      expect(answer.status, `${path}: ${answer.text}`).to.equal(status);
      return answer;
    };
    const unique = Math.random().toString(36).slice(2);
    const users = (
      await made(
        '/users',
        'client_admin',
        { email: `${unique}@example.org`, name: 'Ada', password: 'correct horse battery', role: 'employee' },
        201,
      )
    ).json.user.id;
    const businesses = (await made('/businesses', 'platform_admin', { code: unique, name: unique }, 201)).json.business
      .id;
    const orders = (await made('/client/orderCreate', 'client_admin', ORDER, 201)).json.order_id;
    const routes = (await made('/routes', 'client_admin', { name: unique, schedule_date: '2046-12-01' }, 201)).json
      .route.id;
    const assigned = await made(
      '/broker-order-assignments',
      'client_admin',
      { broker_id: demo.users.broker.id, order_ids: [orders] },
      200,
    );
    const listed = await t.api(`/broker-order-assignments?order_id=${orders}`, {
      key: await as('client_admin'),
      headers: positionOf(assigned),
    });
    return { users, businesses, orders, routes, assignments: listed.json.assignments[0].id };
  }

  it('are raised at the start to the values in the read models', async () => {
    const first = await start(true);
    ({ demo } = first);
    const before = await one(first);
    await first.stop();
    await restart();
    const again = await start(false);
    const after = await one(again);
    await again.stop();
    for (const name of SEQUENCES) expect(after[name], name).to.equal(before[name] + 1);
  });

  it('are raised once rebuilt read models have the whole log', async () => {
    const { orders, users } = Object.fromEntries(
      await Promise.all(
        SEQUENCES.map(async (name) => [
          name,
          Number(
            ((await query(database.url, `select last_value from access.${name}_id`)) as { last_value: string }[])[0]!
              .last_value,
          ),
        ]),
      ),
    ) as Ids;
    await restart();
    const names = (
      (await query(
        database.url,
        'select name from projections.checkpoints c where exists (select from pg_namespace where nspname = c.name)',
      )) as { name: string }[]
    ).map(({ name }) => name);
    for (const name of names) await query(database.url, `drop schema ${name} cascade`);
    await query(database.url, 'delete from projections.checkpoints where name = any ($1)', [names]);
    const t = await start(false);
    const head = await t.service.engines.log.head();
    for (const name of ['accounts', 'businesses', 'orders', 'routes', 'assignments'])
      expect(await t.service.progress.waitFor(name, head, WAIT_LIMIT_MS), name).to.equal(true);
    for (
      let tries = 0;
      tries < 100 &&
      Number(
        ((await query(database.url, 'select last_value from access.orders_id')) as { last_value: string }[])[0]!
          .last_value,
      ) < orders;
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    const made = await one(t);
    await t.stop();
    expect(made.orders).to.equal(orders + 1);
    expect(made.users).to.equal(users + 1);
  });

  it('never go back, and the first id counts, too', async () => {
    const t = await start(false);
    const ids = createIds(t.service.engines.pool);
    const {
      rows: [{ last_value: last } = { last_value: '' }],
    } = await t.service.engines.pool.query<{ last_value: string }>('select last_value from access.orders_id');
    await ids.raise('orders', 1);
    expect(await ids.reserve('orders', 1, '', false)).to.deep.equal([Number(last) + 1]);
    // A sequence that the start does not raise; it may still be at that value.
    await t.service.engines.pool.query('alter sequence access.packages_id restart');
    await ids.raise('packages', 1);
    expect(await ids.reserve('packages', 1, '', false)).to.deep.equal([2]);
    await t.stop();
  });

  it('are created once by processes that start together', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 8 });
    const { prepare } = createIds(pool);
    try {
      await Promise.all(Array.from({ length: 8 }, () => pool.query('select 1')));
      for (let n = 0; n < 30; n++) await Promise.all(Array.from({ length: 8 }, () => prepare(`together_${n}`)));
    } finally {
      await pool.end();
    }
  });

  it('house 7: concurrent repeats of one command get the same ids', async () => {
    const t = await start(false);
    const ids = createIds(t.service.engines.pool);
    for (let round = 0; round < 20; round++) {
      const drawn = await Promise.all(
        Array.from({ length: 12 }, () => ids.reserve('orders', 2, derivedId('repeat', String(round)), true)),
      );
      expect(new Set(drawn.map(String)).size, `round ${round}`).to.equal(1);
    }
    await t.stop();
  });

  it('ids beyond those in tables are rejected without an internal error', async () => {
    const t = await start(false);
    const as = signIns({ ...t, demo });
    expect((await t.api('/users/2147483648', { key: await as('client_admin') })).status).to.equal(400);
    expect(
      (
        await t.api('/businesses/2147483648/modules/contractor_assignment', {
          method: 'PUT',
          key: await as('platform_admin'),
          body: { on: true },
        })
      ).status,
    ).to.equal(400);
    await t.stop();
  });
});
