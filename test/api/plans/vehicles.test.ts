/** Plans with vehicles whose speed and prices differ from the default. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { waitForJob } from '../../support/eventually.js';

interface SeenRoute {
  readonly driver_id: number;
  readonly vehicle_id: string | null;
  readonly distance_m: number;
  readonly drive_s: number;
  readonly wait_s: number;
  readonly cost: string;
}

/** The default prices, and those of the bike, in the currency. */
const USUAL = { route: 0, km: 0.4, hour: 25 };
const BIKE = { route: 1, km: 0.05, hour: 5 };

/** The documented price of a route. */
const priceOf = ({ route, km, hour }: typeof USUAL, { distance_m, drive_s, wait_s }: SeenRoute): string =>
  (route + (distance_m / 1_000) * km + ((drive_s + wait_s) / 3_600) * hour).toFixed(2);

describe('plans with different vehicles', () => {
  let t: TestService;
  let day: Day;
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 2 });
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Mixed' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: day.drivers }, 'PUT');
    const cost = { per_route: '1.00', per_km: '0.05', per_hour: '5' };
    const vehicles = [
      { id: 'VAN', name: 'Van' },
      { id: 'BIKE', name: 'Cargo bike', speed_factor: 0.5, cost },
    ];
    const set = await day.as('client_admin', `/fleets/${fleet_id}/vehicles`, { vehicles }, 'PUT');
    expect(set.status, set.text).to.equal(200);
    const shifts = day.drivers.map((driver_id, index) => ({
      driver_id,
      vehicle_id: vehicles[index]!.id,
      start_at: `${day.date}T06:00:00Z`,
      end_at: `${day.date}T16:00:00Z`,
    }));
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, { shifts });
    expect(made.status, made.text).to.equal(200);
  });
  after(() => t.stop());

  const planned = async (body: object) => {
    const plan = await day.plan({ auto_commit: false, ...body });
    expect(plan.unassigned, JSON.stringify(plan.unassigned)).to.deep.equal([]);
    return plan as { id: number; routes: SeenRoute[]; summary: { solution_sha256: string; cost: string } };
  };

  it('drive every leg at the speed of the vehicle, at its price', async () => {
    const order_ids = await day.orders(1);
    const [van, bike] = await Promise.all(day.drivers.map((driver) => planned({ order_ids, driver_ids: [driver] })));
    const [slow, usual] = [bike!.routes[0]!, van!.routes[0]!];
    expect([usual.vehicle_id, slow.vehicle_id]).to.deep.equal(['VAN', 'BIKE']);
    expect(slow.distance_m).to.equal(usual.distance_m);
    expect(slow.drive_s).to.equal(usual.drive_s * 2);
    expect(usual.cost).to.equal(priceOf(USUAL, usual));
    expect(slow.cost).to.equal(priceOf(BIKE, slow));
    expect(bike!.summary.cost).to.equal(slow.cost);
  });

  it('use the cheaper vehicle, or the faster one if time is the objective', async () => {
    const order_ids = await day.orders(5);
    const cheap = await planned({ order_ids });
    expect(cheap.routes.map(({ vehicle_id }) => vehicle_id)).to.deep.equal(['BIKE']);
    const fast = await planned({ order_ids, minimize: 'duration' });
    expect(fast.routes.map(({ vehicle_id }) => vehicle_id)).to.deep.equal(['VAN']);
  });

  it('explain an order by the price of each vehicle, and are reproduced to the same bytes', async () => {
    const [alone] = await day.orders(1);
    const { id, routes, summary } = await planned({ order_ids: [alone] });
    const read = `/route-plans/${id}`;
    const explained = await day.as('auditor', `${read}/explain?order_id=${alone}`);
    expect(explained.status, explained.text).to.equal(200);
    const [van, bike] = explained.json.routes;
    expect(bike).to.deep.include({ driver_id: day.drivers[1], delta_cost: routes[0]!.cost });
    const usual = { ...routes[0]!, drive_s: routes[0]!.drive_s / 2 };
    expect(Number(van.delta_cost)).to.be.closeTo(Number(priceOf(USUAL, usual)), 0.02);
    const { json } = await day.as('auditor', `${read}/replay`, {});
    const job = await waitForJob(() => day.as('auditor', `/jobs/${json.job.id}?wait_s=25`));
    expect(job.result).to.deep.include({ equal: true, solution_sha256: summary.solution_sha256 });
  });

  it('give an order that takes the slower vehicle too long to the faster one', async () => {
    const [far] = await day.orders(1, () => ({
      delivery: {
        name: 'Far',
        street: 'Far 1',
        city: 'Potsdam',
        postal_code: '14467',
        country: 'DE',
        position: { latitude: 52.4, longitude: 13.06 },
      },
    }));
    const { routes } = await planned({ order_ids: [far], driver_ids: [day.drivers[0]] });
    const [, bike] = day.drivers;
    const most = Math.ceil((routes[0]!.drive_s / 60) * 1.5);
    const late = await day.plan({ order_ids: [far], driver_ids: [bike], max_route_minutes: most, auto_commit: false });
    expect(late.unassigned[0].reasons[0].code).to.equal('TRIP_TOO_LONG');
    const both = await planned({ order_ids: [far], max_route_minutes: most });
    expect(both.routes.map(({ vehicle_id }) => vehicle_id)).to.deep.equal(['VAN']);
  });
});
