/** Plans whose routes begin or end at the homes of drivers: personal data, erased with the account. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openDay, type Day } from '../../support/worlds/day.js';
import { distanceOf, type Place } from '../../support/inputs/drive-length.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { waitForJob } from '../../support/eventually.js';

const HUB: Place = { latitude: 52.52, longitude: 13.405 };
const HOME: Place = { latitude: 52.613579, longitude: 13.246813 };

describe('plans that begin or end at home', () => {
  let t: TestService;
  let day: Day;
  let order: number;
  let place: Place;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 2 });
    [order] = (await day.orders(1)) as [number];
    place = (await day.order(order)).delivery.position as Place;
  });
  after(() => t.stop());

  const planOf = (body: object) => day.plan({ order_ids: [order], auto_commit: false, ...body });
  const setHome = async () => {
    const [driver] = day.drivers;
    const body = { languages: ['de'], home_position: HOME };
    const set = await day.as('employee', `/drivers/${driver}/info`, body, 'PATCH');
    expect(set.status, set.text).to.equal(200);
  };

  it('are rejected if the home of a driver is unknown', async () => {
    await setHome();
    const body = { schedule_date: day.date, order_ids: [order], driver_ids: day.drivers, end: 'home', wait_s: 25 };
    const { status, json } = await day.as('client_admin', '/../v3/client/build-route', body);
    expect([status, json.code]).to.deep.equal([422, 'NO_HOME']);
    expect(json.message).to.include(String(day.drivers[1]));
  });

  it('end at the home of the driver', async () => {
    const [driver] = day.drivers;
    const { driver_info: seen } = (await day.as('driver', '/me/driver-info')).json;
    expect(seen).to.deep.include({ driver_id: driver, home_position: HOME });
    const home = await planOf({ driver_ids: [driver], end: 'home' });
    expect(home.routes[0].distance_m).to.be.closeTo(distanceOf(HUB, place) + distanceOf(place, HOME), 3);
    const depot = await planOf({ driver_ids: [driver] });
    expect(depot.routes[0].distance_m).to.be.closeTo(2 * distanceOf(HUB, place), 3);
    const { json } = await day.as('auditor', `/route-plans/${home.id}/replay`, {});
    const job = await waitForJob(() => day.as('auditor', `/jobs/${json.job.id}?wait_s=25`));
    expect(job.result).to.deep.include({ equal: true });
  });

  it('begin and end there if the shift says so', async () => {
    const [driver] = day.drivers;
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Home' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: [driver] }, 'PUT');
    const hours = { start_at: `${day.date}T06:00:00Z`, end_at: `${day.date}T14:00:00Z` };
    const places = { start_place: { kind: 'home' }, end_place: { kind: 'home' } };
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, {
      shifts: [{ driver_id: driver, ...hours, ...places }],
    });
    expect(made.status, made.text).to.equal(200);
    const plan = await planOf({ driver_ids: [driver] });
    expect(plan.routes[0].distance_m).to.be.closeTo(2 * distanceOf(HOME, place), 3);
    // The value of the whole request has priority.
    const open = await planOf({ driver_ids: [driver], end: 'open' });
    expect(open.routes[0].distance_m).to.be.closeTo(distanceOf(HOME, place), 3);
  });

  it('store no home as plaintext, and erase it with the account', async () => {
    const [driver] = day.drivers;
    const plan = await planOf({ driver_ids: [driver] });
    const { rows } = await t.service.engines.pool.query<{ events: string }>(
      `select coalesce(string_agg(e::text, ''), '') as events from log.events e
        where stream in ($1, $2)`,
      [`driver-${driver}`, `plan-${plan.id}`],
    );
    expect(rows[0]!.events).to.include('DriverProfileSet');
    expect(rows[0]!.events).to.not.include('52.61').and.not.include('13.24');
    const explain = () => day.as('auditor', `/route-plans/${plan.id}/explain?order_id=${order}`);
    expect((await explain()).status).to.equal(200);
    const erased = await day.as('client_admin', `/privacy/subjects/account-${driver}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    const gone = await explain();
    expect([gone.status, gone.json.code]).to.deep.equal([410, 'INPUT_ERASED']);
    expect((await day.as('client_admin', `/drivers/${driver}/info`)).text).to.not.include('52.61');
  });

  it('read the same after a rebuild', () => expectSameReplay(t, ['driver_profiles', 'plans']));
});
