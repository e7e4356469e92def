/**
 * Pages of a list while its rows are added, changed and removed: each row that exists throughout appears exactly once.
 */
import { expect } from 'chai';
import { eventuallyPasses } from '../../support/eventually.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import type { UserName } from '../../support/worlds/users.js';

describe('lists that change while their pages are read', () => {
  let service: TestService;
  let fixture: OrderFixture;
  before(async () => {
    service = await startTestService({ env: { RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' } });
    fixture = openOrderFixture(service);
  });
  after(() => service.stop());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  type Row = any;
  type Method = 'POST' | 'PATCH' | 'DELETE';
  const done = async (
    path: string,
    body: object | undefined,
    method: Method = 'POST',
    user: UserName = 'client_admin',
  ) => {
    const { status, json, text } = await fixture.as(user, path, { body, method });
    expect(status, `${path}: ${text}`).to.be.below(300);
    return json;
  };
  const page = async (path: string, query: string, user: UserName): Promise<Row> => {
    const { status, json, text } = await fixture.as(user, `${path}?${query}`);
    expect(status, text).to.equal(200);
    return json;
  };
  /** Names of rows by pages of two; `between` runs after each page. */
  async function walk(
    path: string,
    { filter = '', rows, user = 'client_admin' }: { filter?: string; rows: (page: Row) => Row[]; user?: UserName },
    between: (pages: number, walked: readonly Row[]) => Promise<unknown>,
  ): Promise<Row[]> {
    const walked: Row[] = [];
    let cursor: string | null | undefined;
    for (let pages = 1; cursor !== null; pages += 1) {
      const read = await page(path, `${filter}&per_page=2${cursor === undefined ? '' : `&cursor=${cursor}`}`, user);
      expect(rows(read).length).to.be.at.most(2);
      walked.push(...rows(read));
      cursor = read.next_cursor as string | null;
      if (cursor !== null) await between(pages, walked);
      expect(pages, 'the list does not end').to.be.below(200);
    }
    return walked;
  }
  const expectOnce = (walked: readonly Row[], throughout: readonly Row[]) => {
    expect(
      walked.filter((one, index) => walked.indexOf(one) !== index),
      'repeated',
    ).to.deep.equal([]);
    expect(
      throughout.filter((one) => !walked.includes(one)),
      'skipped',
    ).to.deep.equal([]);
  };
  const idOf = (made: Row): number => made.order_id ?? made.order?.id ?? made.order?.order_id;
  const orders = async (count: number, schedule_date: string): Promise<number[]> => {
    const ids: number[] = [];
    for (let n = 0; n < count; n += 1) ids.push(idOf(await fixture.order({ schedule_date })));
    return ids;
  };
  const idsOf = (list: Row[]) =>
    list.map((row) => row.id ?? row.driver_id ?? row.order_id ?? row.poi_id ?? row.job_id ?? row.user_id);

  it('orders: some orders leave the filter, and new orders are added', async () => {
    const day = '2047-01-10';
    const ids = await orders(9, day);
    const gone: number[] = [];
    const walked = await walk(
      '/orders',
      {
        filter: `schedule_date_from=${day}&schedule_date_to=${day}&status=NEW_ORDER`,
        rows: ({ orders: list }) => idsOf(list),
      },
      async (pages, read) => {
        await orders(1, day);
        // An order of a page that was read: all later orders move up by one position.
        gone.push(read[0], ids[0]!);
        if (pages === 1) for (const id of gone) await done(`/orders/${id}/cancel`, { reason: 'gone' });
      },
    );
    expectOnce(walked, ids.slice(1));
    expect(walked, 'cancelled before its page').not.to.include(ids[0]);
  });

  it('the planning pool: orders move to other days', async () => {
    const ids = await orders(7, '2047-02-05');
    const walked = await walk('/planning/pool', { rows: ({ orders: list }) => idsOf(list) }, async (pages, read) => {
      // An unread order moves before all others, and an order that was read moves behind them.
      if (pages > 2) return;
      const [ahead] = ids.filter((id) => !read.includes(id)).slice(-1);
      await done(`/orders/${ahead}`, { schedule_date: '2046-01-01' }, 'PATCH');
      await done(`/orders/${read[0]}`, { schedule_date: '2048-01-01' }, 'PATCH');
    });
    expectOnce(walked, ids);
  });

  it('drivers: new drivers are added, and others are renamed', async () => {
    const driver = async (n: number | string): Promise<number> => {
      const body = {
        email: `walk-${n}@example.com`,
        password: 'long enough password',
        name: `Driver ${n}`,
        role: 'driver',
      };
      const made = await done('/users', body);
      return made.user_id ?? made.user.id ?? made.user.user_id;
    };
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await driver(n));
    const walked = await walk('/drivers', { rows: ({ drivers }) => idsOf(drivers) }, async (pages, read) => {
      await done(`/users/${ids.find((id) => !read.includes(id)) ?? ids[0]}`, { name: `Aaron ${pages}` }, 'PATCH');
      if (pages < 4) await driver(`late-${pages}`);
    });
    expectOnce(walked, ids);
  });

  it('places near a point: they move, are added and are deleted', async () => {
    const at = (metres: number) => ({ latitude: 50 + metres / 111_000, longitude: 10 });
    const place = async (metres: number): Promise<number> => {
      const made = await done('/pois', { name: 'Walk', category: 'depot', position: at(metres) }, 'POST', 'employee');
      return made.poi_id ?? made.poi.id ?? made.poi.poi_id;
    };
    const ids: number[] = [];
    for (let n = 1; n <= 9; n += 1) ids.push(await place(n * 100));
    const walked = await walk(
      '/pois',
      { filter: 'latitude=50&longitude=10&within_m=5000', rows: ({ pois }) => idsOf(pois), user: 'employee' },
      async (pages, read) => {
        if (pages > 2) return;
        await done(`/pois/${ids[8 - pages]}`, { position: at(1) }, 'PATCH', 'employee');
        await done(`/pois/${read[0]}`, { position: at(4_000) }, 'PATCH', 'employee');
        if (pages === 1) await done(`/pois/${ids[8]}`, undefined, 'DELETE', 'employee');
        await place(2);
      },
    );
    expectOnce(walked, ids.slice(0, 8));
    expect(walked, 'deleted before its page').not.to.include(ids[8]);
  });

  it('jobs: new jobs come first', async () => {
    const job = async (n: number) => {
      const csv = `delivery.name,delivery.street,delivery.city,delivery.country\nAda,Weg ${n},Berlin,DE`;
      return done('/orders/import', { csv });
    };
    const jobIds = async (): Promise<string[]> => idsOf((await page('/jobs', 'per_page=200', 'client_admin')).jobs);
    for (let n = 0; n < 5; n += 1) await job(n);
    const ids = await jobIds();
    const walked = await walk(
      '/jobs',
      { rows: ({ jobs }) => idsOf(jobs) },
      async (pages) => pages < 3 && job(10 + pages),
    );
    expect(walked).to.deep.equal(ids);
    await eventuallyPasses(async () =>
      expect(JSON.stringify(await page('/jobs', '', 'client_admin'))).not.to.match(/"(queued|running)"/),
    );
  });
});
