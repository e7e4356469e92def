/** An export contains all orders of the filter, whatever their number (scale 4). */
import { expect } from 'chai';
import { atDepth } from '../../support/depth.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { query } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

/** At full depth more than the number at which an export once ended; otherwise several pages. */
const ORDERS = atDepth(20_600, 5_200);
/** Orders of each of five days. */
const OF_DAY = ORDERS / 5;

describe('scale 4: exports of many orders', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let oldest: number;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    oldest = (await fixture.order({ order_ref: 'OLDEST' })).order_id;
    const copied = `(jsonb_populate_record(o, to_jsonb(o) || jsonb_build_object('id', o.id + n, 'order_ref', null, 'schedule_date', '2046-05-0' || 1 + n % 5))).*`;
    await query(
      t.databaseUrl,
      `insert into orders.orders select ${copied} from orders.orders o cross join generate_series(1, $2::int - 1) n where o.id = $1`,
      [oldest, ORDERS],
    );
  });
  after(() => t.stop());

  const exported = async (filter = ''): Promise<number[]> => {
    const { status, text } = await fixture.as('employee', `/orders/export${filter}`);
    expect(status).to.equal(200);
    return text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.slice(0, line.indexOf(','))));
  };
  const stored = async (where: string): Promise<number[]> =>
    (
      await query<{ id: number }>(
        t.databaseUrl,
        `select id from orders.orders where business = (select business from orders.orders where id = ${oldest}) and ${where} order by id desc`,
      )
    ).map(({ id }) => id);

  it('scale 4: contains every order once, newest first', async () => {
    const ids = await exported();
    expect(ids).to.deep.equal(await stored('true'));
    expect(ids.length).to.be.at.least(ORDERS);
    expect(ids).to.include(oldest);
  });

  it('contains every order of a filter, also if their number is a multiple of the page', async () => {
    const days = await exported('?schedule_date_from=2046-05-03&schedule_date_to=2046-05-03');
    expect(days).to.deep.equal(await stored(`schedule_date = '2046-05-03'`));
    expect(days.length).to.be.within(OF_DAY - 1, OF_DAY + 1);
    await query(
      t.databaseUrl,
      `update orders.orders set schedule_date = '2046-06-01' where id in (select id from orders.orders where schedule_date = '2046-05-01' order by id limit 1000)`,
    );
    expect(await exported('?schedule_date_from=2046-06-01&schedule_date_to=2046-06-01')).to.have.length(1_000);
    expect(await exported('?schedule_date_from=2046-07-01&schedule_date_to=2046-07-01')).to.deep.equal([]);
  });

  it('an export that fails in the middle closes the connection, so that no client takes it for a complete one', async () => {
    const middle = oldest + Math.floor(ORDERS / 2);
    await query(t.databaseUrl, `update orders.orders set packages = '{}' where id = $1`, [middle]);
    const outcome = await fixture.as('employee', '/orders/export').then(
      ({ status }) => `${status}`,
      () => 'connection closed',
    );
    expect(outcome).to.equal('connection closed');
  });
});
