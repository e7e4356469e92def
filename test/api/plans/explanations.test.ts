/** The reason for the placement of an order, reported route by route. */
import { expect } from 'chai';
import { openDay, type Day } from '../../support/worlds/day.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('explanations of a plan', () => {
  let t: TestService;
  let day: Day;
  const shiftIds: number[] = [];
  before(async () => {
    t = await startTestService();
    day = await openDay(t, { drivers: 1 });
    const fleet_id = (await day.as('client_admin', '/fleets', { name: 'Two shifts' })).json.fleet.id;
    await day.as('client_admin', `/fleets/${fleet_id}/drivers`, { driver_ids: day.drivers }, 'PUT');
    const vehicles = [{ id: 'VAN', name: 'Van', capacity: { weight_kg: 3 } }];
    await day.as('client_admin', `/fleets/${fleet_id}/vehicles`, { vehicles }, 'PUT');
    const shifts = [
      ['06:00', '10:00'],
      ['11:00', '15:00'],
    ].map(([from, to]) => ({
      driver_id: day.drivers[0],
      vehicle_id: 'VAN',
      start_at: `${day.date}T${from}:00Z`,
      end_at: `${day.date}T${to}:00Z`,
    }));
    const made = await day.as('client_admin', `/fleets/${fleet_id}/shifts/batch`, { shifts });
    expect(made.status, made.text).to.equal(200);
    const { json } = await day.as(
      'client_admin',
      `/fleets/${fleet_id}/shifts?schedule_date_from=${day.date}&schedule_date_to=${day.date}`,
    );
    shiftIds.push(...json.shifts.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b));
  });
  after(() => t.stop());

  it('describe each shift of a driver separately, with detour, capacity and the route', async () => {
    // Each shift has room for only one order by weight, so one of the three orders remains unassigned.
    const order_ids = await day.orders(3);
    const plan = await day.plan({ order_ids, auto_commit: false });
    expect(plan.routes, JSON.stringify(plan.unassigned)).to.have.length(2);
    const [left] = plan.unassigned;
    expect(left.reasons[0].code).to.equal('NO_ROOM');
    const [driver] = day.drivers;
    const params = Object.fromEntries(
      left.reasons[0].params.map((one: { name: string; value: string }) => [one.name, one.value]),
    );
    expect(params).to.deep.equal(
      Object.fromEntries(
        shiftIds.flatMap((id) => [
          [`driver_${driver}_shift_${id}`, 'EXCEEDS_CAPACITY'],
          [`driver_${driver}_shift_${id}_capacity`, 'weight'],
        ]),
      ),
    );
    const explain = async (id: number) => {
      const answer = await day.as('auditor', `/route-plans/${plan.id}/explain?order_id=${id}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer.json;
    };
    const blocked = await explain(left.order_id);
    expect(blocked).to.include({ driver_id: null, index: null });
    const common = {
      vehicle_id: 'VAN',
      driver_id: driver,
      route_id: null,
      delta_cost: null,
      detour_m: null,
      detour_s: null,
    };
    expect(blocked.routes).to.deep.equal(
      shiftIds.map((shift_id, index) => ({
        ...common,
        ...{ index, shift_id, code: 'EXCEEDS_CAPACITY', capacity: 'weight', stop_order_id: null, by: 1_000 },
      })),
    );
    const [first] = plan.routes;
    const there = await explain(first.stops[0].order_id);
    expect(there.index).to.equal(0);
    expect(there.routes[0]).to.deep.include({
      index: 0,
      detour_m: first.distance_m,
      detour_s: first.drive_s,
      code: null,
    });
    const { json } = await day.as('client_admin', `/route-plans/${plan.id}/commit`, { wait_s: 25 });
    const routeIds = json.route_plan.routes.map(({ route_id }: { route_id: number }) => route_id);
    const committed = await explain(left.order_id);
    expect(committed.routes.map(({ route_id }: { route_id: number }) => route_id)).to.deep.equal(routeIds);
  });

  it('name the first stop that would be too late', async () => {
    // Minutes of service at each stop, and windows that leave no time for a second stop.
    const [early, late] = await day.orders(2, () => ({
      time_windows: [{ stop: 'delivery', from: '08:30', to: '08:35' }],
    }));
    for (const id of [early, late])
      await day.as('client_admin', `/orders/${id}`, { planning: { service_time_s: 1_800 } }, 'PATCH');
    const plan = await day.plan({ order_ids: [early, late], capacity_types: ['orders'], auto_commit: false });
    const [left] = plan.unassigned;
    const { json } = await day.as('auditor', `/route-plans/${plan.id}/explain?order_id=${left.order_id}`);
    expect(json.routes[0].code).to.equal('OUT_OF_HOURS');
    expect(json.routes[0].by).to.be.above(1_000);
    expect([early, late]).to.include(json.routes[0].stop_order_id);
    expect(json.routes[1]).to.include({ code: 'OUT_OF_HOURS', stop_order_id: left.order_id });
  });
});
