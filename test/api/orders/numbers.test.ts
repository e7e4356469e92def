/**
 * Who may use a number: no other party reports on a parcel of this service, and no order takes over the scans of
 * another.
 */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { recently as event, timelineOf } from '../../support/inputs/pushes.js';
import { STOP } from '../../support/worlds/orders.js';
import { signIns, type UserName } from '../../support/worlds/users.js';

describe('tracking numbers', () => {
  let t: TestService;
  let acme: string;
  let tokenOf: ReturnType<typeof signIns>;
  before(async () => {
    t = await startTestService();
    acme = await t.addProvider('acme');
    tokenOf = signIns(t);
  });
  after(() => t.stop());

  const as = async (user: UserName, path: string, body?: unknown) => t.api(path, { key: await tokenOf(user), body });
  const create = (packages: readonly object[] = [{}], user: UserName = 'client_admin') =>
    as(user, '/client/orderCreate', { type: 'D', delivery: STOP, packages });
  const scan = (tracking_number: string) =>
    as('employee', '/scans', { tracking_number, status_code: 'arrival_scan', occurred_at: new Date().toISOString() });
  let count = 0;
  const external = () => `1Z9999W9999999${String((count += 1)).padStart(4, '0')}`;

  describe('that the service assigns', () => {
    it('cannot be opened by a provider, before or after their order, and show the order', async () => {
      const { json } = await create();
      const number = json.tracking_numbers[0] as string;
      const before = (await t.api(`/tracking/${number}`)).json;
      expect(before.carrier).to.equal('demo');
      for (const taken of [number, `OT${'0'.repeat(12)}`]) {
        const pushed = await t.push(timelineOf(taken, [event('delivered', 1)]), { key: acme });
        expect([pushed.json.accepted, pushed.json.rejected], pushed.text).to.deep.equal([0, 1]);
        expect(pushed.text).to.include('NUMBER_RESERVED');
      }
      expect((await t.api(`/tracking/${number}`)).json).to.deep.equal(before);
      expect((await as('client_admin', `/client/otep/trackings/${number}`)).status).to.equal(200);
    });

    it('cannot be used by a provider as another identifier either', async () => {
      const number = (await create()).json.tracking_numbers[0] as string;
      const before = (await t.api(`/otep/trackings/${number}`)).json;
      const own = external();
      const first = await t.push(timelineOf(own, [event('picked_up')]), { key: acme });
      expect(first.json.accepted, first.text).to.equal(1);
      for (const subject of [
        { external_tracking_number: number },
        { external_tracking_number: `${number.slice(0, 4)}-${number.slice(4).toLowerCase()}` },
        { piece_id: number },
        { tracking_number: external(), external_tracking_number: number },
        { tracking_number: own, external_tracking_number: number },
        { tracking_number: own, piece_id: number },
      ]) {
        const pushed = await t.push({ otep_version: '0.1', subject, events: [event('delivered', 1)] }, { key: acme });
        expect(pushed.text, JSON.stringify(subject)).to.include('NUMBER_RESERVED');
      }
      expect((await t.api(`/otep/trackings/${number}`)).json).to.deep.equal(before);
    });

    it('can be used by the provider that was granted the parcel', async () => {
      const { key, id } = t.demo.strict_provider;
      const named = { tracking_number: 'DEMO-COURIER-0001', external_tracking_number: 'DEMO-COURIER-0001' };
      const pushed = await t.push({ otep_version: '0.1', subject: named, events: [event('picked_up')] }, { key });
      expect(pushed.json.accepted, `${id}: ${pushed.text}`).to.equal(1);
    });
  });

  describe('that another system assigns', () => {
    it('can be part of an address (field-tracking F10)', async () => {
      for (const external_tracking_number of ['.', '..', ' . . ', '．']) {
        const { status, json } = await create([{ external_tracking_number }]);
        expect([status, json.errors?.[0]?.path], external_tracking_number).to.deep.equal([
          400,
          '/packages/0/external_tracking_number',
        ]);
      }
      expect((await create([{ external_tracking_number: `${external()}.` }])).status).to.equal(201);
    });

    it('belong to one order under way, per business', async () => {
      const number = external();
      expect((await create([{ external_tracking_number: number }])).status).to.equal(201);
      for (const packages of [
        [{}, { external_tracking_number: number }],
        [{ external_tracking_number: number.toLowerCase() }],
      ]) {
        const refused = await create(packages, 'customer');
        expect([refused.status, refused.json.code]).to.deep.equal([409, 'NUMBER_TAKEN']);
        expect(refused.json.errors[0].path).to.equal(`/packages/${packages.length - 1}/external_tracking_number`);
      }
      const twice = external();
      expect(
        (await create([{ external_tracking_number: twice }, { external_tracking_number: twice }])).json.code,
      ).to.equal('NUMBER_TAKEN');
      expect((await create([{ external_tracking_number: number }], 'other_client_admin')).status).to.equal(201);
    });

    it("are never the number of another order's package", async () => {
      const victim = (await create()).json.tracking_numbers[0] as string;
      const refused = await create([{ external_tracking_number: victim }], 'customer');
      expect([refused.status, refused.json.code]).to.deep.equal([409, 'NUMBER_TAKEN']);
    });

    it('are free again after the end of the order', async () => {
      const number = external();
      const { json } = await create([{ external_tracking_number: number }]);
      const { status, text } = await as('client_admin', `/orders/${json.order_id}/cancel`, {});
      expect(status, text).to.equal(200);
      const again = await create([{ external_tracking_number: number }]);
      expect(again.status, again.text).to.equal(201);
      expect((await scan(number)).json.order.id).to.equal(again.json.order_id);
    });

    it('belong to their first user, order or carrier, regardless of later ones', async () => {
      const read = async (number: string) => (await t.api(`/otep/trackings/${number}`)).json;
      const carriersFirst = external();
      const pushed = await t.push(timelineOf(carriersFirst, [event('picked_up')]), { key: acme });
      expect(pushed.json.accepted, pushed.text).to.equal(1);
      const ordersFirst = external();
      for (const number of [carriersFirst, ordersFirst])
        expect((await create([{ external_tracking_number: number }])).status).to.equal(201);
      await t.push(timelineOf(ordersFirst, [event('delivered', 1)]), { key: acme });
      expect(await read(carriersFirst)).to.include({ carrier: 'acme', current_status: 'picked_up' });
      expect((await read(carriersFirst)).alternatives).to.deep.equal(['demo']);
      expect(await read(ordersFirst)).to.include({ carrier: 'demo', current_status: 'information_submitted' });
    });

    it('are reported as ambiguous by a scan if two concurrent orders use them', async () => {
      const number = external();
      const both = await Promise.all([1, 2].map(() => create([{ external_tracking_number: number }])));
      const made = both.filter(({ status }) => status === 201);
      if (made.length === 1) return expect((await scan(number)).status).to.equal(200);
      const scanned = await scan(number);
      expect([scanned.status, scanned.json.code]).to.deep.equal([409, 'AMBIGUOUS_NUMBER']);
      expect(scanned.json.choices.map((one: { order_id: number }) => one.order_id)).to.have.members(
        made.map(({ json }) => json.order_id),
      );
      const [{ json }] = made as [(typeof made)[0]];
      expect((await scan(json.tracking_numbers[0])).json.order.id).to.equal(json.order_id);
    });
  });
});
