/** Routes over real HTTP: the staff who plan them, and the drivers who drive them. */
import { expect } from 'chai';
import { dayIn } from '../../support/worlds/days.js';
import { openDispatchFixture, type DispatchFixture } from '../../support/worlds/dispatch.js';
import type { UserName } from '../../support/worlds/users.js';

describe('dispatch', () => {
  let fixture: DispatchFixture;
  before(async () => void (fixture = await openDispatchFixture()));
  after(() => fixture.stop());

  describe('routes', () => {
    it('created, filled, read, emptied, closed', async () => {
      const made = await fixture.orders.create(3);
      const route = await fixture.route('employee', 'driver');
      expect((await fixture.add(route, [...made, made[0]], 'employee')).json).to.deep.include({
        result: true,
        added: 3,
        skipped: 0,
        errors: [],
      });
      const { json } = await fixture.as('client_admin', `/routes/${route}`);
      expect(json.route).to.deep.include({
        id: route,
        schedule_date: '2026-11-24',
        status: 'open',
        driver_id: fixture.id('driver'),
        driver_name: 'Demo driver',
        broker_id: null,
        order_count: 3,
      });
      expect(json.route.orders.map((one: { id: number }) => one.id)).to.have.members(made);
      expect(json.route.orders[0]).to.deep.include({ type: 'D', status: 'PLANNED', order_status_id: 30 });
      expect(json.route.orders[0].stops).to.deep.equal([
        {
          kind: 'delivery',
          address: { name: 'Ada Example', street: 'Musterweg 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
          time_windows: [],
        },
      ]);
      expect((await fixture.remove(route, [made[0], made[0], 2_000_000_000])).json).to.deep.include({
        result: true,
        removed: 1,
        skipped: 1,
      });
      expect(
        (
          await fixture.as('client_admin', `/routes?driver_id=${fixture.id('driver')}&schedule_date=2026-11-24`)
        ).json.routes.find((one: { id: number }) => one.id === route),
      ).to.deep.include({ order_count: 2, driver_name: 'Demo driver' });
      expect((await fixture.as('client_admin', `/routes/${route}/driver`, { driver_id: null }, 'PUT')).status).to.equal(
        200,
      );
      expect((await fixture.as('client_admin', `/routes/${route}`)).json.route).to.deep.include({
        driver_id: null,
        driver_name: null,
      });
      expect((await fixture.as('client_admin', `/routes/${route}/close`, {})).status).to.equal(200);
      const closed = await fixture.add(route, [made[0]]);
      expect([closed.status, closed.json.code]).to.deep.equal([409, 'ROUTE_CLOSED']);
      expect(
        (await fixture.as('client_admin', `/routes/${route}/driver`, { driver_id: fixture.id('driver') }, 'PUT'))
          .status,
      ).to.equal(409);
      expect(
        (await fixture.as('client_admin', '/routes?status=closed')).json.routes.map((one: { id: number }) => one.id),
      ).to.include(route);
      expect(
        (await fixture.remove(route, [made[1]])).json.removed,
        'an order can be removed from a closed route',
      ).to.equal(1);
    });

    it('rejects, per order: on another route, held, with a third party, not self-delivered, assigned, foreign', async () => {
      const [routed, held, given, assigned, good] = (await fixture.orders.create(5)) as [
        number,
        number,
        number,
        number,
        number,
      ];
      const [carriers] = await fixture.orders.create(1, { self_delivery: false });
      const [foreign] = await fixture.orders.create(1, {}, await fixture.orders.businessOf('other'));
      const [route, other] = [await fixture.route(), await fixture.route()];
      await fixture.add(other, [routed]);
      await fixture.orders.sendCommand(held, { do: 'hold' });
      await fixture.orders.sendCommand(given, { do: 'give_to_third_party', provider: 'demo-carrier' });
      await fixture.assign([assigned]);
      const { status, json } = await fixture.add(route, [
        routed,
        held,
        given,
        assigned,
        carriers,
        foreign,
        2_000_000_000,
        good,
      ]);
      expect(status).to.equal(200);
      expect(json).to.deep.include({ result: true, added: 1, skipped: 7 });
      expect(json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([
        routed,
        held,
        given,
        assigned,
        carriers,
        foreign,
        2_000_000_000,
      ]);
      expect((await fixture.remove(other, [good])).json, 'on another route').to.deep.include({
        result: false,
        removed: 0,
        skipped: 1,
      });
      expect((await fixture.assign([good])).json).to.deep.include({ assigned: 0, skipped: 1 });
    });

    it('a contractor names only drivers of its fleets, by id, and does not see their names', async () => {
      const members = {
        name: 'Tour',
        schedule_date: '2026-11-24',
        allow_past_date: true,
        driver_id: fixture.id('driver'),
      };
      const foreign = await fixture.as('broker', '/routes', members);
      expect([foreign.status, foreign.json.code]).to.deep.equal([422, 'UNKNOWN_DRIVER']);
      const fleet_id = (await fixture.as('broker', '/fleets', { name: 'Own' })).json.fleet.id;
      const drivers = { driver_ids: [fixture.id('driver')] };
      await fixture.as('client_admin', `/fleets/${fleet_id}/drivers`, drivers, 'PUT');
      const route = await fixture.route('broker', 'driver');
      const brokerRoute = (await fixture.as('broker', `/routes/${route}`)).json.route;
      expect([brokerRoute.driver_id, brokerRoute.driver_name]).to.deep.equal([fixture.id('driver'), null]);
      const listed = (await fixture.as('broker', '/routes?per_page=200')).json.routes as { driver_name: unknown }[];
      expect(new Set(listed.map(({ driver_name }) => driver_name))).to.deep.equal(new Set([null]));
      expect((await fixture.as('client_admin', `/routes/${route}`)).json.route.driver_name).to.equal('Demo driver');
    });

    it('a contractor plans its own routes with orders of its pool, and sees no others', async () => {
      await fixture.setRules([{ order_types: ['D'], postal_prefixes: ['10'] }]);
      const [byRule, mine, others] = (await fixture.orders.create(3)) as [number, number, number];
      const [outside] = await fixture.orders.create(1, {
        delivery: { postal_code: '80331', city: 'München', country: 'DE' },
      });
      await fixture.assign([mine, outside!]);
      await fixture.assign([others], 'broker_2');
      const [assignedOutside] = await fixture.orders.create(1, { delivery: { postal_code: '80331' } });
      const [route, clients, second] = [
        await fixture.route('broker'),
        await fixture.route(),
        await fixture.route('broker_2'),
      ];
      const { json } = await fixture.add(route, [byRule, mine, outside, others, assignedOutside], 'broker');
      expect(json).to.deep.include({ added: 3, skipped: 2 });
      expect(json.errors.map((error: { order_id: number }) => error.order_id)).to.have.members([
        others,
        assignedOutside,
      ]);
      const [foreign] = await fixture.orders.create(1, {}, await fixture.orders.businessOf('other'));
      for (const plan of [fixture.add, fixture.remove]) {
        const { errors } = (await plan(route, [others, assignedOutside, foreign, 2_000_000_000], 'broker')).json as {
          errors: { message: string }[];
        };
        expect(
          errors.map(({ message }) => message),
          "a neighbour's orders are not there",
        ).to.deep.equal(Array(4).fill('There is no such order.'));
      }
      expect(
        (await fixture.as('broker', `/routes/${route}`)).json.route.orders.map((one: { id: number }) => one.id),
      ).to.have.members([byRule, mine, outside]);
      for (const foreign of [clients, second]) {
        expect((await fixture.as('broker', `/routes/${foreign}`)).status).to.equal(404);
        expect((await fixture.add(foreign, [byRule], 'broker')).status).to.equal(404);
        expect((await fixture.remove(foreign, [byRule], 'broker')).status).to.equal(404);
        expect((await fixture.as('broker', `/routes/${foreign}/driver`, { driver_id: null }, 'PUT')).status).to.equal(
          404,
        );
        expect((await fixture.as('broker', `/routes/${foreign}/close`, {})).status).to.equal(404);
      }
      expect(
        (await fixture.as('broker', '/routes?per_page=200')).json.routes.every(
          (one: { broker_id: number }) => one.broker_id === fixture.id('broker'),
        ),
      ).to.equal(true);
      expect(
        (await fixture.add(route, [byRule])).status,
        "the client cannot plan orders on a contractor's route",
      ).to.equal(403);
      const release = await fixture.as('broker', '/broker-order-assignments/release', { order_id: mine });
      expect([release.status, release.json.code]).to.deep.equal([400, 'RELEASE_ON_ROUTE']);
      expect((await fixture.remove(route, [mine])).json.removed, 'the client can remove an assigned order').to.equal(1);
      const back = { order_id: mine, reason: 'Full' };
      const released = await fixture.as('broker', '/broker-order-assignments/release', back);
      expect(released.json.assignment, released.text).to.include({
        order_id: mine,
        status: 'released',
        end_reason: 'Full',
      });
    });

    it('of another business do not exist, and callers without permission are rejected', async () => {
      const [order] = await fixture.orders.create(1);
      const route = await fixture.route();
      expect((await fixture.as('other_client_admin', `/routes/${route}`)).status).to.equal(404);
      expect((await fixture.add(route, [order], 'other_client_admin')).status).to.equal(404);
      expect((await fixture.remove(route, [order], 'other_client_admin')).status).to.equal(404);
      expect(
        (await fixture.as('other_client_admin', `/routes/${route}/driver`, { driver_id: null }, 'PUT')).status,
      ).to.equal(404);
      expect((await fixture.as('other_client_admin', `/routes/${route}/close`, {})).status).to.equal(404);
      expect((await fixture.as('other_client_admin', '/routes?per_page=200')).json.routes).to.deep.equal([]);
      expect(
        (
          await fixture.as('other_client_admin', '/routes', {
            name: 'x',
            schedule_date: '2046-11-24',
            driver_id: fixture.id('driver'),
          })
        ).status,
      ).to.equal(422);
      for (const user of ['driver', 'customer', 'auditor', 'platform_admin'] as const)
        expect((await fixture.as(user, '/routes', { name: 'x', schedule_date: '2026-11-24' })).status, user).to.equal(
          403,
        );
      expect((await fixture.as('customer', '/routes')).status).to.equal(403);
      expect((await fixture.as('driver', `/routes/${route}`)).status, "another driver's").to.equal(404);
      for (const body of [
        {},
        { name: 'x' },
        { name: '', schedule_date: '2046-11-24' },
        { name: 'x', schedule_date: '24.11.2026' },
        { name: 'x', schedule_date: '2046-02-30' },
        { name: 'x'.repeat(101), schedule_date: '2046-11-24' },
      ])
        expect((await fixture.as('client_admin', '/routes', body)).status, JSON.stringify(body)).to.equal(400);
      for (const ids of [undefined, []]) expect((await fixture.add(route, ids)).status).to.equal(422);
      expect((await fixture.add(99_999_999_999, [order])).status).to.equal(400);
    });

    it('created for a past date only if it is allowed explicitly', async () => {
      const body = { name: 'Late', schedule_date: '2020-01-01' };
      const refused = await fixture.as('client_admin', '/routes', body);
      expect([refused.status, refused.json.errors?.[0]?.code]).to.deep.equal([400, 'DATE_PAST']);
      const made = await fixture.as('client_admin', '/routes', { ...body, allow_past_date: true });
      expect(made.status, made.text).to.equal(201);
    });
  });

  describe('drivers', () => {
    it('are listed with their capacity', async () => {
      const capacity = { max_orders: 40, max_weight_kg: 800.5 };
      const shown = { id: fixture.id('driver'), name: 'Demo driver', phone: null, capacity, skills: [], version: 1 };
      expect(
        (await fixture.as('client_admin', `/drivers/${fixture.id('driver')}/capacity`, capacity, 'PUT')).json,
      ).to.deep.equal({ result: true, driver: shown });
      const { json } = await fixture.as('employee', '/drivers');
      expect(json.drivers).to.deep.include(shown);
      expect((await fixture.as('driver', `/drivers/${fixture.id('driver')}`)).json.driver).to.deep.equal(shown);
      expect((await fixture.as('other_client_admin', '/drivers')).json.drivers).to.deep.equal([]);
      expect(
        (await fixture.as('other_client_admin', `/drivers/${fixture.id('driver')}/capacity`, { max_orders: 1 }, 'PUT'))
          .status,
      ).to.equal(404);
      expect(
        (await fixture.as('client_admin', `/drivers/${fixture.id('broker')}/capacity`, { max_orders: 1 }, 'PUT'))
          .status,
      ).to.equal(404);
      expect(
        (await fixture.as('client_admin', `/drivers/${fixture.id('driver')}/capacity`, { max_orders: 0 }, 'PUT'))
          .status,
      ).to.equal(400);
      for (const user of ['driver', 'broker', 'customer', 'auditor'] as const)
        expect((await fixture.as(user, '/drivers')).status, user).to.equal(403);
    });

    it('see only their own work of a day', async () => {
      const [order] = await fixture.orders.create(1);
      const route = await fixture.route('client_admin', 'driver');
      await fixture.add(route, [order]);
      for (const user of ['driver', 'client_admin', 'employee'] as const) {
        const { json } = await fixture.as(user, `/drivers/${fixture.id('driver')}/routes?schedule_date=2026-11-24`);
        expect(
          json.routes.find((one: { id: number }) => one.id === route).orders.map((one: { id: number }) => one.id),
        ).to.deep.equal([order]);
      }
      const today = (await fixture.as('driver', `/drivers/${fixture.id('driver')}/routes`)).json;
      expect(today.schedule_date).to.equal(dayIn(0));
      expect((await fixture.as('driver', `/drivers/${fixture.id('client_admin')}/routes`)).status).to.equal(404);
      expect((await fixture.as('other_client_admin', `/drivers/${fixture.id('driver')}/routes`)).status).to.equal(404);
      for (const user of ['broker', 'customer', 'auditor'] as const)
        expect((await fixture.as(user, `/drivers/${fixture.id('driver')}/routes`)).status, user).to.equal(403);
    });

    it('read only the orders on their routes', async () => {
      const [carried, elsewhere, later] = (await fixture.orders.create(3)) as [number, number, number];
      const route = await fixture.route('client_admin', 'driver');
      await fixture.add(route, [carried]);
      await fixture.add(await fixture.route('client_admin'), [elsewhere]);
      expect((await fixture.as('driver', `/orders/${carried}`)).json.order).to.deep.include({
        id: carried,
        route_id: route,
        note: null,
      });
      for (const order of [elsewhere, later])
        expect((await fixture.as('driver', `/orders/${order}`)).status).to.equal(404);
      const ids = (await fixture.as('driver', '/orders?per_page=200')).json.orders.map((one: { id: number }) => one.id);
      expect(ids).to.include(carried);
      expect(ids).to.not.include.members([elsewhere]).and.not.include.members([later]);
      for (const [order, times] of [
        [carried, 1],
        [elsewhere, 0],
      ] as const)
        expect(
          (await fixture.as('driver', `/orders/search?query=made-${order}`)).json.orders.filter(
            (one: { id: number }) => one.id === order,
          ),
          `made-${order}`,
        ).to.have.length(times);
    });

    it('scan only parcels on their routes; offices scan all of the business', async () => {
      const [carried, elsewhere] = (await fixture.orders.create(2)) as [number, number];
      await fixture.add(await fixture.route('client_admin', 'driver'), [carried]);
      const scan = (user: UserName, order: number, more: object = {}) =>
        fixture.as(user, '/scans', {
          tracking_number: `made-${order}`,
          status_code: 'out_for_delivery',
          occurred_at: '2026-11-20T09:00:00+01:00',
          ...more,
        });
      const { status, json } = await scan('driver', carried, {
        position: { latitude: 52.52, longitude: 13.4 },
        photos: ['https://photos.example/1.jpg'],
        note: 'at the gate',
      });
      expect(status).to.equal(200);
      expect(json.result).to.equal(true);
      expect(json.order).to.include({ id: carried, status: 'OUT_FOR_DELIVERY', order_status_id: 80 });
      expect((await scan('driver', elsewhere)).status, 'on no route of the driver').to.equal(404);
      expect((await scan('employee', elsewhere, { status_code: 'arrival_scan' })).json.order.status).to.equal(
        'RECEIVED',
      );
      expect((await scan('other_client_admin', carried)).status).to.equal(404);
      for (const user of ['broker', 'customer', 'auditor'] as const)
        expect((await scan(user, carried)).status, user).to.equal(403);
      for (const [more, field] of [
        [{ status_code: 'information_submitted' }, 'status_code'],
        [{ occurred_at: 'yesterday' }, 'occurred_at'],
        [{ occurred_at: '2999-01-01T00:00:00Z' }, 'occurred_at'],
        [{ position: { latitude: 91, longitude: 0 } }, 'latitude'],
        [{ photos: ['ftp://x.example/1'] }, '0'],
        [{ photos: ['javascript:alert(1)'] }, '0'],
        [{ note: 'n'.repeat(501) }, 'note'],
        [{ reason_code: 'nope' }, 'reason_code'],
        [{ tracking_number: '' }, 'tracking_number'],
      ] as const) {
        const answer = await scan('driver', carried, more);
        expect([answer.status, answer.json.errors?.[0]?.field], JSON.stringify(more).slice(0, 60)).to.deep.equal([
          400,
          field,
        ]);
      }
      expect(
        (await scan('driver', carried, { status_code: 'delivered', occurred_at: '2026-11-20T09:30:00+01:00' })).json
          .order.status,
      ).to.equal('DELIVERED');
      expect(
        (await scan('driver', carried, { status_code: 'delivered', occurred_at: '2026-11-20T09:31:00+01:00' })).json
          .scan.outcome,
      ).to.equal('duplicate');
      const timeline = await fixture.service.api(`/otep/trackings/MADE${carried}`);
      expect(timeline.text).to.include('delivered').and.not.include('at the gate').and.not.include('photos.example');
    });
  });
});
