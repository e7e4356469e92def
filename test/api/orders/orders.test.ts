/** Orders over real HTTP: create, read, change. */
import { expect } from 'chai';
import { ORDER, openOrderFixture, STOP, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const fields = (json: any): string[] =>
  json.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);

describe('orders', () => {
  let service: TestService;
  let fixture: OrderFixture;
  before(async () => {
    service = await startTestService();
    fixture = openOrderFixture(service);
  });
  after(() => service.stop());

  describe('creation', () => {
    it('returns id, status and tracking numbers; the order and its timelines exist at once', async () => {
      const created = await fixture.order({
        order_ref: 'PO-1',
        packages: [{ weight_kg: 2, description: 'Books' }, { external_tracking_number: 'EXT-77' }],
        note: 'internal',
        delivery_instruction: 'ring twice',
      });
      expect(created).to.deep.include({ result: true, status: 'NEW_ORDER', order_status_id: 10 });
      expect(created.tracking_numbers).to.have.length(2);
      const order = await fixture.read(created.order_id);
      expect(order).to.deep.include({
        id: created.order_id,
        order_ref: 'PO-1',
        type: 'D',
        status: 'NEW_ORDER',
        delivery: STOP,
        pickup: null,
        note: 'internal',
        delivery_instruction: 'ring twice',
        schedule_date: '2046-03-02',
        broker_id: null,
        route_id: null,
      });
      expect(order.packages[0]).to.deep.equal({
        tracking_number: created.tracking_numbers[0],
        weight_kg: 2,
        description: 'Books',
      });
      for (const number of created.tracking_numbers) {
        const timeline = await service.read(number);
        expect(timeline.json.current_status).to.equal('information_submitted');
        expect(timeline.text).not.to.match(/Ada|Analytical|order_id/);
      }
    });

    it('reports the required fields of each kind of order', async () => {
      const refused = async (body: object) => {
        const { status, json } = await fixture.as('client_admin', '/client/orderCreate', { body });
        expect(status).to.equal(400);
        return fields(json);
      };
      expect(await refused({ type: 'D', pickup: STOP })).to.deep.equal(['/delivery REQUIRED']);
      expect(await refused({ type: 'P', delivery: STOP })).to.deep.equal(['/pickup REQUIRED']);
      expect(await refused({ type: 'P2P' })).to.deep.equal(['/pickup REQUIRED', '/delivery REQUIRED']);
      expect(await refused({ ...ORDER, type: 'X' })).to.deep.equal(['/type INVALID_VALUE']);
      expect(
        await refused({ ...ORDER, delivery: { ...STOP, country: 'XX', name: '', street: 'x'.repeat(301) } }),
      ).to.have.members(['/delivery/country INVALID_FORM', '/delivery/name TOO_SHORT', '/delivery/street TOO_LONG']);
      expect(await refused({ ...ORDER, schedule_date: '2026-02-30' })).to.deep.equal(['/schedule_date INVALID_FORM']);
      expect(
        await refused({ ...ORDER, colour: 'red', delivery: { ...STOP, zip: 'M5V' } }),
        'unknown fields are rejected',
      ).to.have.members(['/colour UNKNOWN_FIELD', '/delivery/zip UNKNOWN_FIELD']);
      expect(await refused({ ...ORDER, packages: [] })).to.deep.equal(['/packages TOO_FEW_ITEMS']);
      expect(await refused({ ...ORDER, packages: [{ weight_kg: -1 }] })).to.deep.equal([
        '/packages/0/weight_kg TOO_SMALL',
      ]);
      expect(await refused({ ...ORDER, time_windows: [{ from: '12:00', to: '09:00' }] })).to.deep.equal([
        '/time_windows/0/to INVALID_FORM',
      ]);
      expect(await refused({ ...ORDER, time_windows: [{ from: '25:00', to: '09:00' }] })).to.include(
        '/time_windows/0/from INVALID_FORM',
      );
      expect(await refused({ ...ORDER, customer_id: service.demo.users.driver.id })).to.deep.equal([
        '/customer_id UNKNOWN_CUSTOMER',
      ]);
    });

    it('a retry with the same key does not create a second order', async () => {
      const options = { body: { ...ORDER, order_ref: 'RETRY' }, headers: { 'idempotency-key': 'orders-retry' } };
      const [first, again] = [
        await fixture.as('client_admin', '/client/orderCreate', options),
        await fixture.as('client_admin', '/client/orderCreate', options),
      ];
      expect(again.json).to.deep.equal(first.json);
      expect((await fixture.as('client_admin', '/orders?order_ref=RETRY')).json.total).to.equal(1);
    });

    it('is forbidden for drivers, contractors and auditors', async () => {
      for (const user of ['driver', 'broker', 'auditor'] as const)
        expect((await fixture.as(user, '/client/orderCreate', { body: ORDER })).status, user).to.equal(403);
      expect((await service.api('/client/orderCreate', { body: ORDER })).status).to.equal(401);
    });
  });

  describe('reads', () => {
    it('customers see and create only their own orders, without the internal note', async () => {
      const own = await fixture.order({ note: 'mine' }, 'customer');
      const other = await fixture.order({ note: 'office' });
      const seen = await fixture.as('customer', `/orders/${own.order_id}`);
      expect(seen.json.order).to.include({ customer_id: service.demo.users.customer.id, note: null });
      expect((await fixture.as('customer', `/orders/${other.order_id}`)).status).to.equal(404);
      const { json } = await fixture.as('customer', '/orders');
      expect(
        json.orders.every((order: { customer_id: number }) => order.customer_id === service.demo.users.customer.id),
      ).to.equal(true);
      expect(json.total).to.equal(json.orders.length).and.greaterThan(0);
    });

    it("another business's order gets the response for an unknown order, for every operation", async () => {
      const { order_id, tracking_numbers } = await fixture.order({ order_ref: 'FOREIGN' });
      const before = await fixture.read(order_id);
      const foreign = (path: string, options = {}) => fixture.as('other_client_admin', path, options);
      const calls: [string, object?][] = [
        [`/orders/${order_id}`],
        [`/orders/${order_id}/snapshot`],
        [`/orders/${order_id}/label`],
        [`/orders/${order_id}/cancel`, { body: {} }],
        [`/orders/${order_id}/hold`, { body: {} }],
        [`/orders/${order_id}/release`, { body: {} }],
        [`/orders/${order_id}`, { method: 'PATCH', body: { note: 'x' } }],
        [`/orders/${order_id}`, { method: 'PATCH', body: { delivery_instruction: 'x' } }],
        [`/orders/${order_id}/reroute`, { body: { delivery: STOP } }],
        ['/tracking/operationevents', { body: { order_id } }],
        ['/tracking/operationevents', { body: { tracking_number: tracking_numbers[0] } }],
      ];
      for (const [path, options] of calls) {
        const { status, json } = await foreign(path, options);
        const { json: unknownOrder } = await foreign(
          path.replace(String(order_id), '987654'),
          options && 'body' in options && 'order_id' in (options.body as object)
            ? { body: { order_id: 987654 } }
            : options,
        );
        expect(status, path).to.equal(404);
        expect(json.code, path).to.equal(unknownOrder.code);
      }
      expect((await foreign('/orders?order_ref=FOREIGN')).json.total).to.equal(0);
      expect((await foreign('/orders/search?query=FOREIGN')).json.orders).to.deep.equal([]);
      expect(
        (await foreign(`/addresses/search?query=${encodeURIComponent('12 Analytical')}`)).json.addresses,
      ).to.deep.equal([]);
      expect(
        (await foreign('/orders/time-windows', { body: { order_refs: ['FOREIGN'], schedule_date: '2030-01-01' } }))
          .json,
      ).to.deep.include({ result: false, updated: 0 });
      expect(await fixture.read(order_id)).to.deep.equal(before);
    });

    it('filters and pages', async () => {
      const ids: number[] = [];
      for (let n = 0; n < 5; n++)
        ids.push(
          (
            await fixture.order({
              order_ref: 'PAGES',
              schedule_date: `2083-01-0${n + 1}`,
              ...(n === 4 && { type: 'P', pickup: STOP }),
            })
          ).order_id,
        );
      const list = async (query: string) => (await fixture.as('employee', `/orders?order_ref=PAGES&${query}`)).json;
      const idsOf = (json: { orders: { id: number }[] }) => json.orders.map(({ id }) => id);
      expect(idsOf(await list(''))).to.deep.equal([...ids].reverse());
      expect(await list('page=2&per_page=2')).to.deep.include({ result: true, total: 5, page: 2, per_page: 2 });
      expect(idsOf(await list('page=2&per_page=2'))).to.deep.equal([ids[2], ids[1]]);
      expect(idsOf(await list('page=9'))).to.deep.equal([]);
      expect(idsOf(await list('type=P'))).to.deep.equal([ids[4]]);
      expect(idsOf(await list('schedule_date_from=2083-01-02&schedule_date_to=2083-01-03'))).to.deep.equal([
        ids[2],
        ids[1],
      ]);
      expect((await list('status=HOLD')).total).to.equal(0);
      expect((await list('route_id=5')).total).to.equal(0);
      for (const bad of [
        'per_page=201',
        'per_page=0',
        'page=0',
        'status=NOPE',
        'type=Z',
        'schedule_date_from=tomorrow',
        'route_id=-1',
      ])
        expect((await fixture.as('employee', `/orders?${bad}`)).status, bad).to.equal(400);
      expect((await fixture.as('employee', '/orders/99999999999')).status).to.equal(400);
    });

    it('finds by number, external number, reference, name and phone, also misspelt', async () => {
      const { order_id, tracking_numbers } = await fixture.order({
        order_ref: 'Q-ZEBRA-9',
        delivery: { ...STOP, name: 'Wilhelmina Quartermaine', phone: '+49 171 8675309' },
        packages: [{ external_tracking_number: '1Z999AA10123456784' }],
      });
      const found = async (query: string) =>
        (await fixture.as('employee', `/orders/search?query=${encodeURIComponent(query)}`)).json.orders.map(
          ({ id }: { id: number }) => id,
        );
      for (const query of [
        tracking_numbers[0],
        tracking_numbers[0].slice(0, 8).toLowerCase(),
        '1Z 999 AA1 0123456784',
        'q-zebra-9',
        'Quartermaine',
        'wilhelmina quartermane',
        '0171 8675309'.slice(1),
        '8675309',
        '0171 867 5309',
        'Quatermaine',
        'q-zebra9',
        'qzebra9',
      ])
        expect((await found(query))[0], query).to.equal(order_id);
      expect(await found('nobody like that')).to.deep.equal([]);
      expect((await fixture.as('employee', '/orders/search?query=x')).status).to.equal(400);
      expect((await fixture.as('customer', '/orders/search?query=Quartermaine')).json.orders).to.deep.equal([]);
    });

    it('finds addresses of the orders, each once', async () => {
      for (let n = 0; n < 2; n++)
        await fixture.order({
          delivery: { ...STOP, street: '7 Difference Engine Lane', city: 'Ottawa', postal_code: 'K1A 0B1' },
        });
      const { json } = await fixture.as('employee', '/addresses/search?query=difference%20engine');
      expect(json.addresses).to.deep.equal([
        {
          source: 'order',
          street: '7 Difference Engine Lane',
          city: 'Ottawa',
          region: 'ON',
          postal_code: 'K1A 0B1',
          country: 'CA',
        },
      ]);
      expect((await fixture.as('employee', '/addresses/search?query=K1A%200B1')).json.addresses).to.have.length(1);
      expect((await fixture.as('auditor', '/addresses/search?query=K1A')).status).to.equal(403);
    });
  });

  describe('changes', () => {
    const post = (path: string, body: object = {}, user: 'client_admin' | 'customer' = 'client_admin') =>
      fixture.as(user, path, { body });

    it('holds and releases any number of times', async () => {
      const { order_id } = await fixture.order();
      const held = await post(`/orders/${order_id}/hold`, { reason: 'unpaid', confirm: true });
      expect(held.json.order).to.include({ id: order_id, status: 'HOLD', order_status_id: 20 });
      expect(held.json, 'the fields of a read').to.deep.equal(
        (await fixture.as('client_admin', `/orders/${order_id}`)).json,
      );
      expect((await post(`/orders/${order_id}/hold`)).status).to.equal(200);
      expect((await post(`/orders/${order_id}/release`)).json.order.status).to.equal('NEW_ORDER');
      expect((await post(`/orders/${order_id}/release`)).json).to.include({ status: 409, code: 'ORDER_NOT_HELD' });
      expect((await fixture.as('auditor', `/orders/${order_id}/hold`, { body: {} })).status).to.equal(403);
    });

    it('cancels once; the timelines show it', async () => {
      const { order_id, tracking_numbers } = await fixture.order();
      expect((await post(`/orders/${order_id}/cancel`, { reason: 'changed my mind' })).json.order.status).to.equal(
        'CANCELLED',
      );
      expect((await service.read(tracking_numbers[0])).json).to.include({
        current_status: 'cancelled',
        terminal_status: 'cancelled',
      });
      const again = await fixture.as('client_admin', `/orders/${order_id}/cancel`, {
        body: {},
        headers: { 'accept-language': 'de' },
      });
      expect(again.json).to.include({
        status: 409,
        code: 'ORDER_CLOSED',
        message: 'Der Auftrag ist abgeschlossen (Status CANCELLED) und nicht mehr änderbar.',
      });
    });

    it('customers can cancel only their own orders', async () => {
      const own = await fixture.order({}, 'customer');
      const other = await fixture.order();
      expect((await post(`/orders/${other.order_id}/cancel`, {}, 'customer')).status).to.equal(404);
      expect((await fixture.read(other.order_id)).status).to.equal('NEW_ORDER');
      expect((await post(`/orders/${own.order_id}/cancel`, {}, 'customer')).json.order.status).to.equal('CANCELLED');
    });

    it('changes instruction and note, and clears them', async () => {
      const { order_id } = await fixture.order({ note: 'first', delivery_instruction: 'first' });
      const patch = (body: object) => fixture.as('employee', `/orders/${order_id}`, { method: 'PATCH', body });
      await patch({ note: 'second' });
      await patch({ delivery_instruction: 'back door' });
      expect(await fixture.read(order_id)).to.include({ note: 'second', delivery_instruction: 'back door' });
      await patch({ note: '' });
      expect(await fixture.read(order_id)).to.include({ note: null, delivery_instruction: 'back door' });
      await patch({ delivery_instruction: null });
      expect((await fixture.read(order_id)).delivery_instruction).to.equal(null);
      expect((await patch({ note: 'x'.repeat(2_001) })).status).to.equal(400);
    });

    it('changes several members in one step, or none of them, and returns the order', async () => {
      const { order_id } = await fixture.order({ note: 'first', schedule_date: '2036-03-01' });
      const patch = (body: object) => fixture.as('employee', `/orders/${order_id}`, { method: 'PATCH', body });
      const before = await fixture.as('employee', `/orders/${order_id}`);
      expect((await patch({})).json, 'an empty update').to.deep.equal(before.json);
      const wanted = { note: 'second', schedule_date: '2036-03-02', time_windows: [{ from: '09:00', to: '11:00' }] };
      const planning = { priority: 3, service_time_s: 120 };
      const refused = await patch({ ...wanted, planning: { custom_sizes: [{ name: 'nothing', amount: 1 }] } });
      expect([refused.status, refused.json.errors[0].path]).to.deep.equal([422, '/planning/custom_sizes']);
      expect((await fixture.as('employee', `/orders/${order_id}`)).json).to.deep.equal(before.json);
      const changed = await patch({ ...wanted, planning });
      expect(changed.json.order).to.deep.include({
        note: 'second',
        schedule_date: '2036-03-02',
        time_windows: [{ stop: 'delivery', from: '09:00', to: '11:00' }],
        planning,
      });
      expect(changed.json).to.deep.equal((await fixture.as('employee', `/orders/${order_id}`)).json);
      expect((await patch({ planning: { priority: null } })).json.order.planning).to.deep.equal({
        service_time_s: 120,
      });
      const cleared = await patch({ planning: null, time_windows: null });
      expect(cleared.json.order).to.deep.include({ planning: null, time_windows: [], note: 'second' });
    });

    it('returns no order to a key that may write orders and not read them', async () => {
      const { order_id } = await fixture.order({ note: 'internal' });
      const made = await fixture.as('client_admin', '/api-keys', {
        body: { name: 'writer', scopes: ['orders:write'] },
      });
      expect(made.status, made.text).to.equal(201);
      const key = made.json.secret as string;
      for (const body of [{}, { note: 'changed' }]) {
        const changed = await service.api(`/orders/${order_id}`, { key, method: 'PATCH', body });
        expect([changed.status, changed.json]).to.deep.equal([200, { result: true }]);
      }
      expect((await fixture.read(order_id)).note).to.equal('changed');
    });

    it('allows customers to change only the instruction of their own orders', async () => {
      const own = await fixture.order({}, 'customer');
      const other = await fixture.order();
      const patch = (id: number, body: object) => fixture.as('customer', `/orders/${id}`, { method: 'PATCH', body });
      expect((await patch(own.order_id, { delivery_instruction: 'Ring' })).json.order.delivery_instruction).to.equal(
        'Ring',
      );
      const refused = await patch(own.order_id, { delivery_instruction: 'Knock', note: 'x' });
      expect([refused.status, refused.json.errors[0].field]).to.deep.equal([403, 'note']);
      expect((await fixture.read(own.order_id)).delivery_instruction).to.equal('Ring');
      expect((await patch(other.order_id, { delivery_instruction: 'Ring' })).status).to.equal(404);
    });

    it('changes windows and date by references, and reports each', async () => {
      const open = await fixture.order({ order_ref: 'WIN-1' });
      const closed = await fixture.order({ order_ref: 'WIN-2' });
      await post(`/orders/${closed.order_id}/cancel`);
      const { status, json } = await post('/orders/time-windows', {
        order_refs: ['WIN-1', 'WIN-2', 'WIN-3'],
        time_windows: [{ from: '09:00', to: '11:30' }],
        schedule_date: '2036-04-01',
      });
      expect(status).to.equal(200);
      expect(json).to.deep.include({ result: true, updated: 1, skipped: 2 });
      expect(
        json.refs.map(({ order_ids, errors }: { order_ids: number[]; errors: { code: string }[] }) => [
          order_ids,
          errors.map(({ code }) => code),
        ]),
      ).to.deep.equal([
        [[open.order_id], []],
        [[], ['ORDER_CLOSED']],
        [[], ['ORDER_NOT_FOUND']],
      ]);
      expect(await fixture.read(open.order_id)).to.deep.include({
        schedule_date: '2036-04-01',
        time_windows: [{ stop: 'delivery', from: '09:00', to: '11:30' }],
      });
      expect((await post('/orders/time-windows', { order_refs: ['WIN-1'] })).status).to.equal(400);
      expect((await post('/orders/time-windows', { order_refs: [] })).status).to.equal(400);
    });

    it('reroutes: a new order replaces it, and each refers to the other', async () => {
      const { order_id, tracking_numbers } = await fixture.order({
        order_ref: 'MOVE',
        note: 'first',
        packages: [{ description: 'Vase', weight_kg: 3 }],
        time_windows: [{ from: '08:00', to: '10:00' }],
      });
      await fixture.as('employee', `/orders/${order_id}`, { method: 'PATCH', body: { note: 'fragile' } });
      const delivery = { ...STOP, street: '99 Elsewhere', city: 'Kingston' };
      const { status, json } = await post(`/orders/${order_id}/reroute`, { delivery });
      expect(status).to.equal(201);
      expect(json).to.include({ replaces_order_id: order_id });
      expect(await fixture.read(order_id)).to.include({ status: 'CANCELLED', replaced_by_order_id: json.order_id });
      const next = await fixture.read(json.order_id);
      expect(next).to.deep.include({
        status: 'NEW_ORDER',
        replaces_order_id: order_id,
        delivery,
        note: 'fragile',
        order_ref: 'MOVE',
        schedule_date: '2046-03-02',
        time_windows: [{ stop: 'delivery', from: '08:00', to: '10:00' }],
      });
      expect(next.packages).to.deep.equal([
        { tracking_number: json.tracking_numbers[0], weight_kg: 3, description: 'Vase' },
      ]);
      expect(json.tracking_numbers).not.to.have.members(tracking_numbers);
      expect((await service.read(json.tracking_numbers[0])).json.current_status).to.equal('information_submitted');
      expect((await post(`/orders/${order_id}/reroute`, { delivery })).json.code).to.equal('ORDER_CLOSED');
      expect((await post(`/orders/${json.order_id}/reroute`, { delivery: { city: 'X' } })).json.code).to.equal(
        'INVALID_INPUT',
      );
    });
  });
});
