/** Requirements of a business for its orders: unique references, and dates that are not in the past. */
import { expect } from 'chai';
import { expectSameReplay } from '../../support/checks/replay.js';
import { openOrderFixture, ORDER, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('requirements for orders', () => {
  let t: TestService;
  let fixture: OrderFixture;
  before(async () => {
    t = await startTestService({ now: () => Date.parse('2030-06-15T22:30:00Z') });
    fixture = openOrderFixture(t);
  });
  after(() => t.stop());

  const create = (members: object, headers: Record<string, string> = {}) =>
    fixture.as('client_admin', '/client/orderCreate', { body: { ...ORDER, ...members }, headers });
  const ask = (unique_order_ref: boolean) =>
    fixture.as('client_admin', '/order-settings', { method: 'PATCH', body: { unique_order_ref } });

  describe('a unique reference', () => {
    it('is not required unless the business sets it', async () => {
      expect((await fixture.as('auditor', '/order-settings')).json.order_settings).to.deep.include({
        unique_order_ref: false,
        sender: null,
      });
      expect((await create({ order_ref: 'TWICE' })).status).to.equal(201);
      expect((await create({ order_ref: 'TWICE' })).status).to.equal(201);
    });

    it('is enforced: 409 for the second one, also concurrently, in a batch, and with an older order', async () => {
      expect((await ask(true)).json.order_settings).to.deep.include({ unique_order_ref: true, sender: null });
      expect((await create({ order_ref: 'TWICE' })).json.code).to.equal('ORDER_REF_TAKEN');
      const once = await Promise.all(Array.from({ length: 8 }, () => create({ order_ref: 'ONCE' })));
      expect(once.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409, 409, 409, 409]);
      const { json } = await fixture.as('client_admin', '/orders/batch', {
        body: { orders: ['B-1', 'B-1', 'B-2', 'ONCE'].map((order_ref) => ({ ...ORDER, order_ref })) },
      });
      expect([json.created, json.failed]).to.deep.equal([2, 2]);
      expect((await create({})).status, 'none at all').to.equal(201);
      expect((await create({ order_ref: 'ONCE' }, { 'accept-language': 'de' })).json.message).to.match(/Referenz/);
    });

    it('is the same order at a retry, and free again after an order was rejected or cancelled', async () => {
      const retry = { 'idempotency-key': 'once-more' };
      const first = await create({ order_ref: 'RETRY' }, retry);
      expect((await create({ order_ref: 'RETRY' }, retry)).json).to.deep.equal(first.json);
      const refused = { order_ref: 'LATER', packages: [{ external_tracking_number: first.json.tracking_numbers[0] }] };
      expect((await create(refused)).json.code).to.equal('NUMBER_TAKEN');
      const { json } = await create({ order_ref: 'LATER' });
      expect(json.result).to.equal(true);
      await fixture.as('client_admin', `/orders/${json.order_id}/cancel`, { body: {} });
      expect((await create({ order_ref: 'LATER' })).status).to.equal(201);
    });

    it('is independent of other businesses, and can be disabled', async () => {
      const foreign = await fixture.as('other_client_admin', '/client/orderCreate', {
        body: { ...ORDER, order_ref: 'ONCE' },
      });
      expect(foreign.status, foreign.text).to.equal(201);
      await ask(false);
      expect((await create({ order_ref: 'ONCE' })).status).to.equal(201);
    });
  });

  describe('a date', () => {
    // 22:30 in UTC is tomorrow in Berlin, where the demo business is.
    it('in the past of the business is rejected unless it is allowed explicitly', async () => {
      const { status, json } = await create({ schedule_date: '2030-06-15' });
      expect([status, json.errors[0].code, json.errors[0].path]).to.deep.equal([400, 'DATE_PAST', '/schedule_date']);
      expect(json.errors[0].message).to.include('2030-06-16');
      expect((await create({ schedule_date: '2030-06-16' })).status).to.equal(201);
      const late = await create({ schedule_date: '2020-01-01', allow_past_date: true });
      expect(late.status).to.equal(201);
      expect(await fixture.read(late.json.order_id)).to.include({ schedule_date: '2020-01-01' });
    });

    it('is also checked when orders are moved', async () => {
      await create({ order_ref: 'MOVED' });
      const move = (members: object) =>
        fixture.as('client_admin', '/orders/time-windows', {
          body: { order_refs: ['MOVED'], schedule_date: '2020-01-01', ...members },
        });
      expect((await move({})).json.errors[0].code).to.equal('DATE_PAST');
      expect((await move({ allow_past_date: true })).json.updated).to.equal(1);
    });
  });

  it('an unknown query parameter is rejected, and the error lists the valid parameters', async () => {
    const { status, json } = await fixture.as('client_admin', '/orders?stauts=HOLD');
    expect([status, json.errors[0].field, json.errors[0].code]).to.deep.equal([400, 'stauts', 'UNKNOWN_PARAMETER']);
    expect(json.errors[0].message).to.match(/status/);
    expect((await t.api('/otep/formats?x=1')).json.errors[0].code).to.equal('UNKNOWN_PARAMETER');
    expect((await fixture.as('client_admin', '/client/orderCreate?dry=1', { body: ORDER })).status).to.equal(400);
  });

  it('is rebuilt from the log', () => expectSameReplay(t, ['businesses']));
});
