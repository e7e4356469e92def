/** The schedule of an order on the timelines of its parcels: who sees it, how it changes, and its earlier states. */
import { expect } from 'chai';
import { runCli } from '../../support/processes/cli.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { call, type Answer } from '../../support/clients/http.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';

const MORNING = {
  date: '2046-03-02',
  windows: [{ from: '2046-03-02T09:00:00+01:00', to: '2046-03-02T12:00:00+01:00' }],
  by: '2046-03-02T12:00:00+01:00',
};

describe('planned delivery of an order', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  const order = async (members: object = {}) => {
    const { order_id, tracking_numbers } = await fixture.order({
      time_windows: [{ from: '09:00', to: '12:00' }],
      ...members,
    });
    return { id: order_id as number, number: tracking_numbers[0] as string, numbers: tracking_numbers as string[] };
  };
  const publicly = async (number: string) => (await t.api(`/tracking/${number}`)).json;
  const reschedule = async (id: number, body: object) => {
    const answer = await fixture.as('client_admin', `/orders/${id}`, { method: 'PATCH', body });
    expect(answer.status, answer.text).to.equal(200);
  };
  const planned = ({ json }: Answer) => json.planned_delivery;

  it('is public, in the timezone of the business, as soon as the order exists', async () => {
    const { number } = await order();
    expect((await publicly(number)).planned_delivery).to.deep.equal(MORNING);
    expect(planned(await t.read(number))).to.deep.equal(MORNING);
    expect((await t.read(number, undefined, { query: '?format=shippo' })).json.eta).to.equal(
      '2046-03-02T11:00:00.000Z',
    );
    const page = await call(`${t.url}/api/v1/otep/trackings/${number}`, {
      headers: { Accept: 'text/html', 'Accept-Language': 'fr' },
    });
    expect(page.text).to.contain('Livraison prévue: <time').and.to.contain('2046-03-02, 09:00–12:00');
    const { json } = await t.api('/otep/trackings/batch', { body: { tracking_numbers: [number] } });
    expect(json.trackings[0].timeline.planned_delivery).to.deep.equal(MORNING);
    expect((await fixture.as('client_admin', `/client/otep/trackings/${number}`)).json.planned_delivery).to.deep.equal(
      MORNING,
    );
  });

  it('changes with the schedule, for every package, together with the ETag', async () => {
    const { id, numbers } = await order({ packages: [{}, {}] });
    const before = await Promise.all(numbers.map((number) => t.read(number)));
    const again = (one: Answer, number: string) =>
      t.read(number, undefined, { headers: { 'If-None-Match': one.headers.get('etag')! } });
    expect((await again(before[0]!, numbers[0]!)).status).to.equal(304);
    await reschedule(id, { schedule_date: '2046-03-05', time_windows: [] });
    for (const [index, number] of numbers.entries()) {
      const now = await again(before[index]!, number);
      expect(now.status).to.equal(200);
      expect(planned(now)).to.deep.equal({ date: '2046-03-05', windows: [], by: '2046-03-05T23:59:59+01:00' });
      expect(now.json.events, 'a plan is no event of the parcel').to.have.length(1);
    }
  });

  it('ends with the journey, and is missing for unplanned orders', async () => {
    const { id, number } = await order();
    expect((await fixture.as('client_admin', `/orders/${id}/cancel`, { body: {} })).status).to.equal(200);
    expect((await t.read(number)).json)
      .to.include({ terminal_status: 'cancelled' })
      .and.not.have.property('planned_delivery');
    const { delivery: pickup } = (await fixture.read(id)) as { delivery: { name: string } };
    expect(pickup.name).to.be.a('string');
    const undated = await order({ schedule_date: undefined });
    expect(await publicly(undated.number)).to.not.have.property('planned_delivery');
  });

  it('is replayed as it was known at that time', async () => {
    const { id, number } = await order();
    const then = new Date().toISOString();
    await reschedule(id, { time_windows: [{ from: '15:00', to: '16:00' }] });
    const at = async (time: string) => {
      const env = { DATABASE_URL: t.databaseUrl, MASTER_KEY };
      const ran = await runCli('audit', ['timeline', number, '--at', time], env);
      expect(ran.code, ran.stderr).to.equal(0);
      return JSON.parse(ran.stdout).planned_delivery;
    };
    expect(await at(then)).to.deep.equal(MORNING);
    expect((await at(new Date().toISOString())).by).to.equal('2046-03-02T16:00:00+01:00');
  });

  it('a replay gives the same rows', () => expectSameReplay(t, ['timeline']));
});
