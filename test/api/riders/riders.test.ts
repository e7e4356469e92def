/** Riders over real HTTP: offers, the winner, and the end of a search. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { instants } from '../../../src/commands/riders/decider.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openStream } from '../../support/clients/sse.js';
import { eventually, eventuallyPasses } from '../../support/eventually.js';
import { dayIn } from '../../support/worlds/days.js';
import { openRiders, type RiderWorld } from '../../support/worlds/riders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { atDepth } from '../../support/depth.js';

describe('riders', () => {
  let t: TestService;
  let world: RiderWorld;
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  before(async () => {
    t = await startTestService({ now, env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    world = await openRiders(t, 5, now);
  });
  after(() => t.stop());
  const requestedOrders: number[] = [];
  /** Creates an order and starts the search for a rider. */
  async function search(how = {}): Promise<number> {
    const order = await world.order();
    requestedOrders.push(order);
    expect((await world.request(order, how)).status).to.equal(200);
    return order;
  }
  /** Sets these riders online at these distances in metres, all others offline, and ends all searches. */
  async function placeRiders(...places: (number | undefined)[]): Promise<void> {
    for (const order of requestedOrders.splice(0))
      await world.as('client_admin', `/orders/${order}/instant-delivery/cancel`, {});
    for (const rider of world.riders.keys()) await world.ride(rider, '/offline', {});
    for (const [rider, metres] of places.entries()) if (metres !== undefined) await world.online(rider, metres);
  }
  const until = (what: () => Promise<boolean>) => eventually(what, String(what));
  const routeOf = async (order: number) =>
    (await world.as('client_admin', `/orders/${order}`)).json.order.route_id as number | null;
  const answer = (rider: number, offer: string, how: 'accept' | 'decline') =>
    world.ride(rider, `/offers/${offer}/${how}`, {});
  const unitsOf = async (rider: number) => (await world.ride(rider, '')).json.rider.order_count as number;

  it('requires a grant; it is closed for all other drivers', async () => {
    const { id } = world.riders[4]!;
    const grant = (enabled: boolean) =>
      world.as('client_admin', `/drivers/${id}/rider-grant`, { enabled, max_concurrent: 1 }, 'PUT');
    await world.online(4, 100);
    expect((await grant(false)).json.rider_grant.enabled).to.equal(false);
    const refused = await world.ride(4, '/online', {});
    expect([refused.status, refused.json.code]).to.deep.equal([403, 'INSTANT_NOT_GRANTED']);
    expect((await world.ride(4, '/offers')).status).to.equal(403);
    expect((await world.stand(4, 100)).json.code).to.equal('NOT_ON_DUTY');
    expect((await grant(true)).json.rider_grant).to.deep.equal({
      driver_id: id,
      enabled: true,
      max_concurrent: 1,
      radius_m: null,
    });
    expect((await world.ride(4, '')).json.rider).to.deep.include({
      online: false,
      route_id: null,
      order_count: 0,
      offer_count: 0,
    });
  });

  it('get no offers while they drive an assigned route', async () => {
    await placeRiders(100);
    const office = async (path: string, body: object) => {
      const { status, json, text } = await world.as('client_admin', path, body);
      expect(status, text).to.be.below(300);
      return json;
    };
    const { id: driver_id } = world.riders[0]!;
    const schedule_date = dayIn(0, now());
    const { id: route_id } = (await office('/routes', { name: 'Given', schedule_date, driver_id })).route;
    await office(`/routes/${route_id}/orders`, { order_ids: [await world.order()] });
    await office(`/routes/${route_id}/start`, {});
    await search();
    expect(await world.offers(0)).to.deep.equal([]);
    await office(`/routes/${route_id}/finish`, {});
    await search();
    expect(await world.offers(0)).to.have.length(1);
  });

  it('drivers-and-fleets R7: the nearest rider gets an offer, then the next one; a decline frees the rider', async () => {
    await placeRiders(900, 300, 6_000);
    const order = await search();
    expect(await world.offers(0)).to.deep.equal([]);
    const [first] = await world.offers(1);
    const { json } = await world.ride(1, '/offers');
    expect(json.offers[0]).to.deep.include({ order_id: order, package_count: 1, weight_kg: 2, distance_m: 300 });
    expect(json.offers[0].pickup).to.deep.equal({ city: 'Berlin', postal_prefix: '10' });
    expect(JSON.stringify(json)).not.to.include('Collect').and.not.to.include('Person');
    expect(await unitsOf(1)).to.equal(1);
    expect((await world.request(order)).status, 'a second request changes nothing').to.equal(200);
    expect((await answer(1, first!, 'decline')).status).to.equal(200);
    expect((await answer(1, first!, 'decline')).status, 'a repeated decline changes nothing').to.equal(200);
    expect(await unitsOf(1)).to.equal(0);
    const [second] = await world.offers(0);
    expect((await answer(1, second!, 'accept')).json.code, "another rider's offer").to.equal('OFFER_NOT_FOUND');
    expect((await answer(0, second!, 'decline')).status).to.equal(200);
    expect((await world.instant(order)).status, 'the third is too far for the first round').to.equal('requested');
    clock.ahead += 21_000;
    await world.stand(2, 6_000);
    await until(async () => (await world.offers(2)).length > 0);
    const { round, offers } = await world.instant(order);
    expect([round, offers.length]).to.deep.equal([2, 3]);
    await world.as('client_admin', `/orders/${order}/instant-delivery/cancel`, {});
    expect(await world.eventsOf(order)).to.deep.equal([
      'InstantRequested',
      'RiderOfferMade 1',
      'RiderOfferDeclined 1',
      'RiderOfferMade 0',
      'RiderOfferDeclined 0',
      'InstantRoundBegan',
      'RiderOfferMade 2',
      'RiderOfferLapsed 2 cancelled',
      'InstantCancelled  asked',
    ]);
    expect(await unitsOf(2)).to.equal(0);
  });

  it('drivers-and-fleets R8: an accepted order is on the route of the rider, who then sees the addresses', async () => {
    await placeRiders(100, 200);
    const route = (await world.ride(0, '')).json.rider.route_id;
    const order = await search();
    const [offer] = await world.offers(0);
    const taken = await answer(0, offer!, 'accept');
    expect(taken.json.order).to.deep.include({ route_id: route });
    expect([taken.json.order.pickup.street, taken.json.order.delivery.street]).to.deep.equal([
      'Collect 1',
      'Deliver 2',
    ]);
    expect((await answer(0, offer!, 'accept')).json, 'a retry of the winner').to.deep.equal(taken.json);
    expect(await routeOf(order)).to.equal(route);
    expect((await world.instant(order)).status).to.equal('assigned');
    const late = await world.as('client_admin', `/orders/${order}/instant-delivery/cancel`, {});
    expect([late.status, late.json.code]).to.deep.equal([409, 'INSTANT_ACCEPTED']);
    expect((await world.request(order)).json.code).to.equal('ORDER_ON_ROUTE');
    // A rider with the maximum number of orders gets no offer; a delivered order frees the rider.
    await search();
    expect([await world.offers(0), (await world.offers(1)).length]).to.deep.equal([[], 1]);
    const { json } = await world.as('client_admin', `/orders/${order}`);
    for (const status_code of ['picked_up', 'out_for_delivery', 'delivered'])
      expect(
        (
          await t.api('/scans', {
            key: world.riders[0]!.key,
            body: {
              tracking_number: json.order.packages[0].tracking_number,
              status_code,
              occurred_at: new Date(now()).toISOString(),
            },
          })
        ).status,
      ).to.equal(200);
    clock.ahead += 30_000;
    await until(async () => (await unitsOf(0)) === 0);
  });

  it('drivers-and-fleets 4: one of two riders who accept at once gets the order, on one route', async () => {
    for (let round = 0; round < atDepth(5, 2); round++) {
      // A rider who declined recently would be asked after the others.
      clock.ahead += 11 * 60_000;
      await placeRiders(100, 200, 300);
      const order = await search({ parallel: 2 });
      const [one, other, third] = await Promise.all([0, 1, 2].map(async (rider) => (await world.offers(rider))[0]));
      expect(third).to.equal(undefined);
      const answers = await Promise.all([answer(0, one!, 'accept'), answer(1, other!, 'accept')]);
      expect(answers.map(({ status, json }) => (status === 200 ? 'won' : json.code)).sort()).to.deep.equal([
        'OFFER_TAKEN',
        'won',
      ]);
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(await routeOf(order)).to.equal((await world.ride(winner, '')).json.rider.route_id);
      expect(await unitsOf(1 - winner), 'the other rider has no reserved time').to.equal(0);
      await world.as('client_admin', `/orders/${order}/cancel`, {});
      clock.ahead += 30_000;
      await until(async () => (await unitsOf(winner)) === 0);
    }
  });

  it('drivers-and-fleets 5: acceptance a second late, or of an order that was held in the meantime, is rejected', async () => {
    await placeRiders(100, 200);
    const order = await search({ offer_s: 10 });
    const [offer] = await world.offers(0);
    clock.ahead += 11_000;
    const late = await answer(0, offer!, 'accept');
    expect([late.status, late.json.code]).to.deep.equal([409, 'OFFER_EXPIRED']);
    await world.stand(1, 200);
    await until(async () => (await world.offers(1)).length > 0);
    expect(await unitsOf(0), 'the rider without a response has no reserved time').to.equal(0);
    const held = await world.as('client_admin', `/orders/${order}/hold`, {});
    expect(held.status, held.text).to.equal(200);
    const [open] = await world.offers(1);
    const gone = await answer(1, open!, 'accept');
    expect([gone.status, gone.json.code]).to.deep.equal([409, 'ORDER_GONE']);
    expect((await answer(1, open!, 'accept')).json.code, 'again').to.equal('ORDER_GONE');
    await until(async () => (await unitsOf(1)) === 0);
    expect(await routeOf(order)).to.equal(null);
    expect((await world.eventsOf(order)).at(-1)).to.equal('InstantCancelled  order_gone');
  });

  it('drivers-and-fleets R9: three offers in a row without a response set the rider offline', async () => {
    await placeRiders(100);
    for (let round = 0; round < 3; round++) {
      await world.stand(0, 100);
      const order = await search({ offer_s: 10, max_rounds: 1 });
      expect(await world.offers(0)).to.have.length(1);
      clock.ahead += 11_000;
      await until(async () => (await world.instant(order)).status === 'exhausted');
    }
    expect((await world.ride(0, '')).json.rider.online).to.equal(false);
  });

  it('drivers-and-fleets R10: a position is stored only on duty, and never becomes an event', async () => {
    await placeRiders(100);
    const point = (at: number) => ({ at: new Date(at).toISOString(), latitude: 52.5, longitude: 13.4 });
    const reportPositions = (...points: object[]) => world.ride(0, '/locations', { points });
    expect((await reportPositions(point(now() + 120_000), point(now() - 25 * 3_600_000))).json).to.deep.include({
      position: null,
      ignored_count: 2,
    });
    expect((await reportPositions(point(now() - 60_000))).json, 'older than the stored position').to.deep.include({
      position: null,
    });
    const next = point(now() + 1_000);
    expect((await reportPositions(next)).json).to.deep.include({
      position: { ...next, accuracy_m: null },
      ignored_count: 0,
    });
    expect((await world.ride(0, '')).json.rider.position_at).not.to.equal(null);
    await world.ride(0, '/offline', {});
    const off = await reportPositions(point(now() + 2_000));
    expect([off.status, off.json.code]).to.deep.equal([409, 'NOT_ON_DUTY']);
    expect((await world.ride(0, '')).json.rider.position_at).to.equal(null);
    // No offers if the position of the rider is too old.
    await placeRiders(100);
    clock.ahead += 130_000;
    await search({ max_rounds: 1 });
    expect(await world.offers(0)).to.deep.equal([]);
    const { id } = world.riders[0]!;
    for await (const { data } of t.service.engines.log.read(`driver-${id}`))
      expect(JSON.stringify(data)).not.to.include('latitude');
  });

  it('an offer and its end are sent to the app and the phone', async () => {
    await placeRiders(100, 200);
    const { id, key } = world.riders[1]!;
    const stream = await openStream(`${t.url}/api/v1/instant-rider/offers/events`, { authorization: `Bearer ${key}` });
    expect((await stream.next())!.event).to.equal('hello');
    const order = await search({ parallel: 2 });
    const [offer] = await world.offers(0);
    await answer(0, offer!, 'accept');
    const heard: string[] = [];
    while (heard.length < 2) {
      const { data } = (await stream.next())!;
      expect(data.order_id).to.equal(order);
      heard.push(`${data.type} ${data.why ?? ''}`.trim());
    }
    stream.close();
    expect(heard).to.deep.equal(['RiderOfferMade', 'RiderOfferLapsed taken']);
    const notifications = async () =>
      (await world.as('client_admin', '/developer/outbox?per_page=200')).json.messages
        .filter(
          (one: { to: number; data: { order_id: string } }) => one.to === id && one.data.order_id === String(order),
        )
        .map(({ type }: { type: string }) => type)
        .sort();
    await eventuallyPasses(async () =>
      expect(await notifications()).to.deep.equal(['rider_offer', 'rider_offer_over']),
    );
  });

  it('continues after a crash between the acceptance and the route', async () => {
    await placeRiders(undefined, undefined, 100);
    const order = await search();
    const [offer] = await world.offers(2);
    const { route_id } = (await world.ride(2, '')).json.rider;
    // The writes of a process that died afterwards.
    const commandId = randomUUID();
    const { log, keyRing } = t.service.engines;
    const business = (await world.as('client_admin', '/me')).json.user.business_id as number;
    const { id: riderId } = world.riders[2]!;
    await createHandler({ decider: instants, log, keyRing, types: EVENT_TYPES, now })(
      `instant-${order}`,
      { do: 'accept', commandId, orderId: order, business, offerId: offer!, riderId, routeId: route_id, now: now() },
      { correlationId: commandId, actor: { kind: 'system', id: 'test' }, channel: 'system' },
    );
    expect(await routeOf(order)).to.equal(null);
    clock.ahead += 15_000;
    await until(async () => (await routeOf(order)) === route_id);
    // This is another read model, which may be updated a moment later.
    await until(async () => (await world.instant(order)).status === 'assigned');
  });

  it('drivers-and-fleets 7: the positions of an erased driver are deleted', async () => {
    await placeRiders(undefined, undefined, undefined, 100);
    const { id } = world.riders[3]!;
    const placed = async () =>
      (
        await t.service.engines.pool.query(
          'select from access.positions_last where driver_id = $1 union all select from access.positions where driver_id = $1',
          [id],
        )
      ).rowCount;
    expect(await placed()).to.equal(2);
    const erased = await world.as('client_admin', `/privacy/subjects/account-${id}/erase`, {});
    expect(erased.status, erased.text).to.equal(200);
    expect(await placed()).to.equal(0);
  });

  it('reads the same after a rebuild', () =>
    expectSameReplay(t, ['riders', 'instants', 'rider_offers', 'driver_times', 'timers']));
});
