/** Third-party delivery over HTTP: the office offers orders, providers pull them, and the first acceptance wins. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventuallyPasses } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { openThirdPartyWorld, type ThirdPartyWorld } from '../../support/worlds/third-party.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('offers of orders to providers', () => {
  let t: TestService;
  let w: ThirdPartyWorld;
  let clock = Date.now();
  before(async () => {
    t = await startTestService({ now: () => clock });
    w = openThirdPartyWorld(t);
  });
  after(() => t.stop());

  const code = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
  const idsOf = ({ json }: { json: { orders: { id: number }[] } }) => json.orders.map(({ id }) => id);
  const at = (minutes: number) => new Date(clock + minutes * MINUTE).toISOString();
  const boardItem = async (item: string) => (await w.as('client_admin', `/dispatch/items/${item}`)).json.item;

  it('show areas and terms to the providers that they name, and the whole order after the acceptance', async () => {
    const offer = await w.offered({ pickup_by: at(60), deliver_by: at(120), fee: '8.5', currency: 'EUR' });
    const { json } = await w.read('strict_provider', offer.id);
    expect(json.order).to.deep.include({
      id: offer.id,
      status: 'offered',
      offer_id: offer.offer_id,
      fee: '8.50',
      currency: 'EUR',
      pickup_by: at(60),
      deliver_by: at(120),
      respond_by: at(10),
      delivery: { city: 'Berlin', postal_code: '10115', country: 'DE' },
      packages: [{}],
      order_ref: null,
    });
    const accepted = await w.accept('strict_provider', offer, { reference: 'CR-7', eta_at: at(20) });
    expect(accepted.status, accepted.text).to.equal(200);
    expect(accepted.json.order).to.deep.include({
      status: 'taken',
      reference: 'CR-7',
      eta_at: at(20),
      order_ref: `REF-${offer.id}`,
      fee: '8.50',
      packages: [{ tracking_number: `MADE${offer.id}` }],
    });
    expect(accepted.json.order.delivery).to.include({ name: 'Ada Example', street: 'Musterweg 1' });
    const again = await w.accept('strict_provider', offer);
    expect([again.status, again.json]).to.deep.equal([200, accepted.json]);
    expect(code(await w.accept('provider', offer))).to.deep.equal([409, 'OFFER_TAKEN']);
    expect(code(await w.read('provider', offer.id))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    const order = await w.order(offer.id);
    expect(order.third_party).to.equal(t.demo.strict_provider.id);
    expect(order.third_party_offer).to.include({ id: offer.offer_id, status: 'taken', round: 1, fee: '8.50' });
    expect(
      order.third_party_offer.providers.map((one: { provider: string; status: string }) => [one.provider, one.status]),
    ).to.deep.equal([
      [t.demo.provider.id, 'lost'],
      [t.demo.strict_provider.id, 'taken'],
    ]);
  });

  it('are pulled in order, with a cursor that returns each order once', async () => {
    const { next_cursor: start } = (await w.pull('provider', '?limit=100')).json;
    const from = start === null ? '' : `&cursor=${start}`;
    const made = [await w.offered(), await w.offered(), await w.offered()].map(({ id }) => id);
    const first = await w.pull('provider', `?limit=2${from}`);
    expect([idsOf(first), first.json.has_more]).to.deep.equal([made.slice(0, 2), true]);
    const second = await w.pull('provider', `?limit=2&cursor=${first.json.next_cursor}`);
    expect([idsOf(second), second.json.has_more]).to.deep.equal([made.slice(2), false]);
    const none = await w.pull('provider', `?cursor=${second.json.next_cursor}`);
    expect([idsOf(none), none.json.next_cursor]).to.deep.equal([[], second.json.next_cursor]);
    expect(code(await w.pull('provider', '?cursor=nonsense'))).to.deep.equal([400, 'INVALID_INPUT']);
    // Another provider is not named, and gets none of them.
    const other = { providers: [t.demo.strict_provider.id] };
    const hidden = await w.offered(other);
    expect(idsOf(await w.pull('provider', '?limit=100'))).not.to.include(hidden.id);
  });

  it('end a long poll as soon as an order is offered or given', async () => {
    for (const status of ['offered', 'taken']) {
      const { next_cursor } = (await w.pull('provider', `?limit=100&status=${status}`)).json;
      const cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
      const waiting = w.pull('provider', `?wait_s=25&status=${status}${cursor}`);
      const id = await w.orders.createOne();
      if (status === 'offered') await w.offer(id);
      else await w.as('client_admin', `/orders/${id}/third-party`, { provider: t.demo.provider.id });
      expect(idsOf(await waiting)).to.deep.equal([id]);
    }
    expect((await w.pull('provider', '?wait_s=26')).status).to.equal(400);
  });

  it('give the winner alone access to the timeline, until it loses the order', async () => {
    const offer = await w.offered();
    expect(await w.scan('strict_provider', offer.id, 'awaiting_pickup')).to.equal('NOT_YOUR_SHIPMENT');
    const key = { 'idempotency-key': 'accept-1' };
    const first = await w.accept('strict_provider', offer, {}, key);
    expect((await w.accept('strict_provider', offer, {}, key)).json, 'repeated').to.deep.equal(first.json);
    expect(await w.scan('strict_provider', offer.id, 'awaiting_pickup')).to.equal('accepted');
    const released = await w.release('strict_provider', offer);
    expect([released.status, released.json]).to.deep.equal([200, { result: true }]);
    expect((await w.release('strict_provider', offer)).status, 'again').to.equal(200);
    const repeated = await w.accept('strict_provider', offer, {}, key);
    expect([repeated.status, repeated.json], 'no data of the order').to.deep.equal([200, { result: true }]);
    expect(await w.scan('strict_provider', offer.id, 'delivered', clock - 1), 'from before').to.equal(
      'NOT_YOUR_SHIPMENT',
    );
    clock += MINUTE;
    expect(await w.scan('strict_provider', offer.id, 'picked_up')).to.equal('NOT_YOUR_SHIPMENT');
    expect(code(await w.read('strict_provider', offer.id))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    const [, part] = (await w.order(offer.id)).third_party_offer.providers;
    expect(part).to.include({ status: 'returned', reason: 'The van broke down' });
    const next = await w.offered();
    await w.accept('strict_provider', next);
    expect(await w.scan('strict_provider', next.id, 'picked_up')).to.equal('accepted');
    await eventuallyPasses(async () => expect((await w.order(next.id)).status).to.equal('PICKED_UP'));
    expect(code(await w.release('strict_provider', next))).to.deep.equal([409, 'ALREADY_PICKED_UP']);
  });

  it('exclude routes, contractors, holds and the planning pool; withdrawing or cancelling ends this', async () => {
    const offer = await w.offered();
    const { id } = offer;
    const route = (
      await w.as('client_admin', '/routes', { name: 'Tour', schedule_date: '2026-11-24', allow_past_date: true })
    ).json.route.id;
    const put = (await w.as('client_admin', `/routes/${route}/orders`, { order_ids: [id] })).json;
    expect(put.errors[0]).to.include({ order_id: id, code: 'OFFERED_TO_THIRD_PARTY' });
    const broker_id = t.demo.users.broker.id;
    const assigned = (await w.as('client_admin', '/broker-order-assignments', { order_ids: [id], broker_id })).json;
    expect(assigned.errors[0]).to.include({ order_id: id, code: 'OFFERED_TO_THIRD_PARTY' });
    expect(code(await w.as('client_admin', `/orders/${id}/hold`, {}))).to.deep.equal([409, 'OFFERED_TO_THIRD_PARTY']);
    expect(code(await w.offer(id))).to.deep.equal([409, 'OFFERED_TO_THIRD_PARTY']);
    const instant = await w.as('client_admin', `/orders/${id}/instant-delivery`, {});
    expect(code(instant)).to.deep.equal([409, 'OFFERED_TO_THIRD_PARTY']);
    const inPool = async () =>
      (await w.as('client_admin', '/planning/pool?per_page=200')).json.orders.some(
        (one: { id: number }) => one.id === id,
      );
    expect(await inPool()).to.equal(false);
    const path = `/orders/${id}/third-party/offers/${offer.offer_id}/withdraw`;
    expect((await w.as('client_admin', path, {})).status).to.equal(200);
    expect((await w.order(id)).third_party_offer).to.include({ status: 'withdrawn' });
    expect(await inPool()).to.equal(true);
    expect(code(await w.accept('provider', offer))).to.deep.equal([409, 'OFFER_EXPIRED']);
    const other = await w.offered();
    expect((await w.as('client_admin', `/orders/${other.id}/cancel`, {})).status).to.equal(200);
    expect((await w.order(other.id)).third_party_offer).to.include({ status: 'withdrawn' });
    expect(code(await w.read('provider', other.id))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
  });

  it('without an acceptance free the order, and are listed on the board', async () => {
    const declined = await w.offered();
    const reason = 'No van today';
    expect((await w.decline('provider', declined, { reason })).json).to.deep.equal({ result: true });
    expect(code(await w.read('provider', declined.id))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    expect((await w.read('strict_provider', declined.id)).status).to.equal(200);
    await w.decline('strict_provider', declined);
    const [first] = (await w.order(declined.id)).third_party_offer.providers;
    expect(first).to.include({ status: 'declined', reason });
    const expired = await w.offered();
    clock += 11 * MINUTE;
    expect(code(await w.accept('provider', expired))).to.deep.equal([409, 'OFFER_EXPIRED']);
    expect(idsOf(await w.pull('provider', '?limit=100'))).not.to.include(expired.id);
    for (const [{ id }, outcome] of [
      [declined, 'declined'],
      [expired, 'expired'],
    ] as const)
      await eventuallyPasses(async () => {
        expect((await w.order(id)).third_party_offer.status).to.equal(outcome);
        const item = await boardItem(`third_party_unaccepted:${id}`);
        expect(item?.facts).to.include({ outcome });
      });
    await w.as('client_admin', `/orders/${expired.id}/hold`, {});
    expect(await boardItem(`third_party_unaccepted:${expired.id}`)).to.equal(undefined);
  });

  it('whose deadlines the provider misses are listed on the board', async () => {
    const late = await w.offered({ pickup_by: at(15), deliver_by: at(30) });
    const inTime = await w.offered({ pickup_by: at(15), deliver_by: at(30) });
    for (const offer of [late, inTime]) await w.accept('strict_provider', offer);
    // A deadline is checked with the scans that the order has followed.
    const scanned = async (status: 'picked_up' | 'delivered') => {
      const { status: before } = await w.order(inTime.id);
      await w.scan('strict_provider', inTime.id, status);
      await eventuallyPasses(async () => expect((await w.order(inTime.id)).status).not.to.equal(before));
    };
    await scanned('picked_up');
    clock += 16 * MINUTE;
    const part = async ({ id }: { id: number }) => (await w.order(id)).third_party_offer.providers[1];
    await eventuallyPasses(async () => expect((await part(late)).missed_deadlines).to.deep.equal(['pickup']));
    expect((await boardItem(`third_party_late:${late.id}`))?.facts).to.deep.include({ missed_deadlines: ['pickup'] });
    await scanned('delivered');
    clock += 15 * MINUTE;
    await eventuallyPasses(async () =>
      expect((await part(late)).missed_deadlines).to.deep.equal(['pickup', 'delivery']),
    );
    expect((await part(inTime)).missed_deadlines).to.deep.equal([]);
  });

  it('are rejected for unknown providers, other businesses, and impossible terms', async () => {
    const id = await w.orders.createOne();
    const unknown = await w.offer(id, { providers: [t.demo.provider.id, 'nobody'] });
    expect([unknown.status, unknown.json.errors[0].code, unknown.json.errors[0].path]).to.deep.equal([
      422,
      'UNKNOWN_PROVIDER',
      '/providers/1',
    ]);
    for (const terms of [
      { respond_within_s: 59 },
      { respond_within_s: 86_401 },
      { providers: [] },
      { pickup_by: at(5) },
      { pickup_by: at(30), deliver_by: at(29) },
      { fee: '8.50' },
      { currency: 'EUR' },
      { fee: '8.505', currency: 'EUR' },
      { fee: '-1', currency: 'EUR' },
    ])
      expect((await w.offer(id, terms)).status, JSON.stringify(terms)).to.equal(400);
    const body = { providers: [t.demo.provider.id], respond_within_s: 60 };
    const foreign = await w.as('other_client_admin', `/orders/${id}/third-party/offers`, body);
    expect(code(foreign)).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    const offer_id = '00000000-0000-4000-8000-000000000000';
    expect(code(await w.accept('provider', { id, offer_id }))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
    expect(code(await w.accept('provider', { id: 2_000_000_000, offer_id }))).to.deep.equal([404, 'ORDER_NOT_FOUND']);
  });

  it('show personal data until 30 days after the end of the order', async () => {
    const offer = await w.offered();
    await w.accept('strict_provider', offer);
    await w.scan('strict_provider', offer.id, 'delivered');
    await eventuallyPasses(async () => expect((await w.order(offer.id)).status).to.equal('DELIVERED'));
    const street = async () => (await w.read('strict_provider', offer.id)).json.order.delivery.street;
    clock += 29 * DAY;
    expect(await street()).to.equal('Musterweg 1');
    clock += 2 * DAY;
    expect(await street()).to.equal(undefined);
  });

  it('are rebuilt from the log', () => expectSameReplay(t, ['orders', 'third_party_offers', 'timers']));
});
