/** Current and past positions of drivers: who sees them, from when on, with what precision, and for how long. */
import { expect } from 'chai';
import { createTrails } from '../../../src/engines/postgres/trails.js';
import { dayIn } from '../../support/worlds/days.js';
import { openRiders, PICKUP, type RiderWorld } from '../../support/worlds/riders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import type { UserName } from '../../support/worlds/users.js';

const MINUTE_MS = 60_000;
const DOOR = { name: 'Person', street: 'Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' };

describe('places of drivers', () => {
  let t: TestService;
  let world: RiderWorld;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  before(async () => {
    t = await startTestService({ now, env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    world = await openRiders(t, 2, now);
  });
  after(() => t.stop());

  const placeOf = async (order: number, user: UserName) => {
    const { status, json, text } = await world.as(user, `/orders/${order}/driver-position`);
    expect(status, text).to.equal(200);
    return json as { position: { latitude: number; longitude: number } | null; why_not: string | null };
  };
  const order = async (user: UserName, more: object = {}): Promise<{ order_id: number; number: string }> => {
    const body = { type: 'D', delivery: DOOR, packages: [{ weight_kg: 1 }], ...more };
    const { json, text } = await world.as(user, '/client/orderCreate', body);
    expect(json.order_id, text).to.be.a('number');
    return { order_id: json.order_id, number: json.tracking_numbers[0] };
  };
  const scan = async ({ number }: { number: string }, status_code: string) => {
    const body = { tracking_number: number, status_code, occurred_at: new Date(now()).toISOString() };
    const { status, text } = await t.api('/scans', { key: world.riders[0]!.key, body });
    expect(status, text).to.equal(200);
  };

  it('drivers-and-fleets R10: customers see them from the stop before theirs on, to 100 metres, while the order is under way', async () => {
    const [first, second] = [await order('client_admin'), await order('client_admin')];
    const own = await order('customer');
    const driver_id = world.riders[0]!.id;
    const schedule_date = dayIn(0, now());
    const { id: route_id } = (await world.as('client_admin', '/routes', { name: 'Tour', schedule_date, driver_id }))
      .json.route;
    const order_ids = [first, second, own].map(({ order_id }) => order_id);
    expect((await placeOf(own.order_id, 'customer')).why_not).to.equal('NOT_UNDER_WAY');
    await world.as('client_admin', `/routes/${route_id}/orders`, { order_ids });
    expect((await placeOf(own.order_id, 'customer')).why_not, 'not started').to.equal('NOT_UNDER_WAY');
    expect((await world.as('client_admin', `/routes/${route_id}/start`, {})).status).to.equal(200);
    expect((await placeOf(own.order_id, 'client_admin')).why_not).to.equal('NOT_KNOWN');
    expect((await world.stand(0, 1_234)).status).to.equal(200);
    const exact = (await placeOf(own.order_id, 'client_admin')).position!;
    expect(exact.latitude).to.be.closeTo(PICKUP.latitude + 1_234 / 111_195, 1e-9);
    expect((await placeOf(own.order_id, 'customer')).why_not).to.equal('NOT_YET');
    await scan(first, 'out_for_delivery');
    await scan(first, 'delivered');
    const { position } = await placeOf(own.order_id, 'customer');
    expect(position).to.deep.include({ accuracy_m: null });
    const metres = Math.abs(position!.latitude - exact.latitude) * 111_195;
    expect(metres).to.be.within(0.5, 51);
    await world.stand(0, 1_235);
    expect((await placeOf(own.order_id, 'customer')).position, 'a step says nothing').to.deep.include({
      latitude: position!.latitude,
      longitude: position!.longitude,
    });
    const open = await t.api(`/tracking/${own.number}`);
    expect(open.status).to.equal(200);
    expect(open.text, 'nothing in public tracking').to.not.include(String(position!.latitude));
    clock.ahead += 16 * MINUTE_MS;
    expect((await placeOf(own.order_id, 'customer')).why_not).to.equal('NOT_KNOWN');
    expect((await placeOf(own.order_id, 'client_admin')).position).to.not.equal(null);
    await world.stand(0, 10);
    for (const one of [second, own]) for (const code of ['out_for_delivery', 'delivered']) await scan(one, code);
    expect((await placeOf(own.order_id, 'customer')).why_not, 'delivered').to.equal('NOT_UNDER_WAY');
    await world.as('client_admin', `/routes/${route_id}/finish`, {});
    expect((await placeOf(second.order_id, 'client_admin')).why_not).to.equal('NOT_UNDER_WAY');
  });

  it('are shown to the customer who waits for a rider', async () => {
    const { order_id } = await order('customer', { type: 'P2P', pickup: { ...DOOR, position: PICKUP } });
    await world.online(1, 300);
    expect((await world.as('customer', `/orders/${order_id}/instant-delivery`, {})).status).to.equal(200);
    expect((await placeOf(order_id, 'customer')).why_not).to.equal('NOT_UNDER_WAY');
    const [offer] = await world.offers(1);
    expect((await world.ride(1, `/offers/${offer}/accept`, {})).status).to.equal(200);
    const customerPosition = await placeOf(order_id, 'customer');
    expect(customerPosition.position, JSON.stringify(customerPosition)).to.not.equal(null);
  });

  it('drivers-and-fleets R10: positions on duty are stored encrypted, for a week, and shown to callers who may see the driver', async () => {
    const { id, key } = world.riders[0]!;
    await world.ride(0, '/online', {});
    const began = now();
    clock.ahead += 10 * MINUTE_MS;
    const point = (minutes: number) => ({
      at: new Date(began + minutes * MINUTE_MS).toISOString(),
      latitude: 52.5 + minutes / 1_000,
      longitude: 13.4,
      accuracy_m: 5,
    });
    const reportPositions = (...minutes: number[]) => world.ride(0, '/locations', { points: minutes.map(point) });
    expect((await reportPositions(-5, 1, 2, 3)).json).to.deep.include({ position: point(3), ignored_count: 0 });
    expect((await reportPositions(2, 3, 4)).json, 'sent again, and one more').to.deep.include({ position: point(4) });
    const trail = async (query = '', as: string | UserName = 'employee') =>
      as === key
        ? t.api(`/drivers/${id}/trail${query}`, { key })
        : world.as(as as UserName, `/drivers/${id}/trail${query}`);
    const from = `?recorded_from=${new Date(began).toISOString()}`;
    const { points, next_cursor, has_more } = (await trail(from)).json;
    expect(points).to.deep.equal([1, 2, 3, 4].map(point));
    expect([next_cursor, has_more]).to.deep.equal([null, false]);
    const walked: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = (await trail(`${from}&limit=3${cursor && `&cursor=${cursor}`}`)).json;
      expect(page.has_more).to.equal(page.next_cursor !== null);
      walked.push(...page.points);
      cursor = page.next_cursor as string | null;
    }
    expect(walked, 'in pages').to.deep.equal(points);
    const earlier = `?recorded_from=${new Date(began - 10 * MINUTE_MS).toISOString()}`;
    const times = (await trail(earlier)).json.points.map(({ at }: { at: string }) => at);
    expect(times, 'before the duty').to.include(point(4).at).and.not.include(point(-5).at);
    expect((await trail(from, key)).json.points).to.deep.equal(points);
    const other = await t.api(`/drivers/${id}/trail`, { key: world.riders[1]!.key });
    expect([other.status, other.json.code]).to.deep.equal([404, 'DRIVER_NOT_FOUND']);
    const { pool, keyRing } = t.service.engines;
    const storedPositions = async () =>
      (
        await pool.query<{ box: string }>(
          "select encode(box, 'escape') as box from access.positions where driver_id = $1 and at > $2",
          [id, new Date(began)],
        )
      ).rows;
    const boxes = await storedPositions();
    expect(boxes).to.have.length(4);
    for (const { box } of boxes) expect(box).to.not.include('latitude').and.not.include('52.5');
    const days = (count: number) => createTrails({ pool, keyRing, now: () => now() + count * 86_400_000, keptDays: 7 });
    await days(5).sweep();
    expect(await storedPositions()).to.have.length(4);
    await days(8).sweep();
    expect(await storedPositions()).to.have.length(0);
  });

  it('show riders the pay for an order, which only offices set', async () => {
    clock.ahead += 11 * MINUTE_MS;
    await world.ride(1, '/offline', {});
    await world.ride(0, '/offline', {});
    await world.online(0, 100);
    const { order_id } = await order('customer', { type: 'P2P', pickup: { ...DOOR, position: PICKUP } });
    const reward = { amount: '7.5', currency: 'EUR' };
    const refused = await world.as('customer', `/orders/${order_id}/instant-delivery`, { reward });
    expect([refused.status, refused.json.errors?.[0]?.field]).to.deep.equal([403, 'reward']);
    const odd = await world.request(order_id, { reward: { ...reward, amount: '7.505' } });
    expect([odd.status, odd.json.code, odd.json.errors[0].path]).to.deep.equal([400, 'TOO_PRECISE', '/reward/amount']);
    expect((await world.request(order_id, { reward })).status).to.equal(200);
    const exactly = { amount: '7.50', currency: 'EUR' };
    expect((await world.ride(0, '/offers')).json.offers[0].reward).to.deep.equal(exactly);
    expect((await world.instant(order_id)).reward).to.deep.equal(exactly);
    const seen = await world.as('customer', `/orders/${order_id}/instant-delivery`);
    expect(seen.json.instant_delivery.reward).to.equal(null);
  });
});
