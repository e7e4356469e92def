/**
 * Assignment, revocation and release of orders over real HTTP, by REST and by GraphQL: every row of the specification's
 * tables (specification 1, "Contractor order assignment").
 */
import { expect } from 'chai';
import { businessStream } from '../../../src/events/businesses/events.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { INTERFACES, openAssignmentFixture, type AssignmentFixture } from '../../support/worlds/assignments.js';

for (const by of INTERFACES)
  describe(`contractor assignment over ${by}`, () => {
    let fixture: AssignmentFixture;
    before(async () => void (fixture = await openAssignmentFixture(by)));
    after(() => fixture.stop());

    describe('assign', () => {
      it('none -> active, with every field of the record', async () => {
        const began = Date.now();
        const [one, two] = await fixture.orders.create(2);
        const answer = await fixture.assign([one, two], { note: 'ring twice' });
        expect(answer.status).to.equal(200);
        expect(answer.json).to.deep.equal({ result: true, assigned: 2, skipped: 0, errors: [] });
        const [record] = await fixture.of(one!);
        expect(record).to.deep.include({
          order_id: one,
          order_ref: `REF-${one}`,
          order_status_id: 10,
          scheduled_date: '2026-11-23',
          route_id: null,
          broker_id: fixture.broker(),
          broker_name: 'Demo broker',
          status: 'active',
          note: 'ring twice',
          assigned_by: fixture.service.demo.users.client_admin.id,
          ended_by: null,
          ended_at: null,
          end_reason: null,
        });
        expect(record.id).to.be.a('number');
        expect(Date.parse(record.assigned_at)).to.be.within(began - 1_000, Date.now() + 1_000);
        expect(Object.keys(record)).to.have.length(15);
      });

      it('active elsewhere -> moved in one step: the old record is revoked at the same instant', async () => {
        const order = await fixture.orders.createOne();
        await fixture.assign([order]);
        expect((await fixture.assign([order], { broker_id: fixture.broker('broker_2') })).json).to.deep.equal({
          result: true,
          assigned: 1,
          skipped: 0,
          errors: [],
        });
        const [now, before, ...more] = await fixture.of(order);
        expect(more).to.deep.equal([]);
        expect(now).to.deep.include({ status: 'active', broker_id: fixture.broker('broker_2') });
        expect(before).to.deep.include({
          status: 'revoked',
          broker_id: fixture.broker(),
          ended_by: fixture.service.demo.users.client_admin.id,
          ended_at: now.assigned_at,
          end_reason: null,
        });
      });

      it('the same contractor again is skipped', async () => {
        const order = await fixture.orders.createOne();
        await fixture.assign([order]);
        const { status, json } = await fixture.assign([order]);
        expect(status).to.equal(200);
        expect(json).to.deep.include({ result: false, assigned: 0, skipped: 1 });
        expect(json.errors).to.deep.equal([
          { order_id: order, code: 'ALREADY_ASSIGNED', message: 'The order is already assigned to this contractor.' },
        ]);
        expect(await fixture.of(order)).to.have.length(1);
      });

      it('is rejected per order: on a route, no self delivery, not assignable, held, with a third party, foreign, unknown; the rest is assigned', async () => {
        const [routed, notOurs, moving, held, given, good, cancelled] = [
          await fixture.orders.createOne(),
          await fixture.orders.createOne({ self_delivery: false }),
          ...(await fixture.orders.create(5)),
        ] as number[] as [number, number, number, number, number, number, number];
        const [foreign] = await fixture.orders.create(1, {}, await fixture.orders.businessOf('other'));
        await fixture.orders.sendCommand(routed, { do: 'put_on_route', routeId: 1 });
        await fixture.orders.sendCommand(moving, {
          do: 'scan',
          tracking_number: `MADE${moving}`,
          status_code: 'in_transit',
          occurred_at: '2026-11-20T10:00:00Z',
          instant: '2026-11-20T10:00:00.000000000Z',
        });
        await fixture.orders.sendCommand(held, { do: 'hold' });
        await fixture.orders.sendCommand(given, { do: 'give_to_third_party', provider: 'demo-carrier' });
        await fixture.orders.sendCommand(cancelled, { do: 'cancel' });
        const requests = [
          routed,
          notOurs,
          moving,
          held,
          given,
          cancelled,
          foreign!,
          2_000_000_000,
          9_007_199_254_740_991,
          -3,
          0,
        ];
        const { status, json } = await fixture.assign([...requests, good, good]);
        expect(status).to.equal(200);
        expect(json).to.deep.include({ result: true, assigned: 1, skipped: requests.length });
        const messages = Object.fromEntries(
          json.errors.map(({ order_id, message }: { order_id: number; message: string }) => [order_id, message]),
        );
        expect(Object.keys(messages).map(Number)).to.have.members(requests);
        expect(messages[routed]).to.match(/on a route/);
        expect(messages[notOurs]).to.match(/self-delivery/);
        expect(messages[moving]).to.match(/IN_TRANSIT/);
        expect(messages[held]).to.match(/on hold/);
        expect(messages[given]).to.match(/third-party/);
        expect(messages[cancelled]).to.match(/CANCELLED/);
        // An order of another business gets the same response as an order that does not exist.
        for (const unknown of [foreign!, 2_000_000_000, 9_007_199_254_740_991, -3, 0])
          expect(messages[unknown]).to.equal('There is no such order.');
        for (const entry of json.errors) expect(entry).to.have.all.keys('order_id', 'code', 'message');
        expect((await fixture.list(`?order_id=${foreign!}`, 'other_client_admin')).json.assignments).to.deep.equal([]);
      });

      it('returns errors in the requested language', async () => {
        const order = await fixture.orders.createOne({ self_delivery: false });
        const messages = new Set<string>();
        for (const language of ['en', 'de', 'fr', 'es', 'zh-Hans', 'zh-Hant'])
          messages.add(
            (await fixture.assign([order], { headers: { 'accept-language': language } })).json.errors[0].message,
          );
        expect(messages).to.have.property('size', 6);
        expect(messages).to.include('Der Auftrag wird nicht selbst ausgeliefert.');
      });

      it('422 if orders or contractor are missing', async () => {
        const [order] = await fixture.orders.create(1);
        for (const [body, field] of [
          [{ broker_id: fixture.broker() }, 'order_ids'],
          [{ order_ids: [], broker_id: fixture.broker() }, 'order_ids'],
          [{ order_ids: null, broker_id: fixture.broker() }, 'order_ids'],
          [{}, 'order_ids'],
          [{ order_ids: [order] }, 'broker_id'],
          [{ order_ids: [order], broker_id: null }, 'broker_id'],
        ] as const) {
          const { status, json } = await fixture.as('client_admin', '', { body });
          expect(status, JSON.stringify(body)).to.equal(422);
          expect(json.errors[0]).to.deep.include({ field, path: `/${field}` });
        }
        for (const broker_id of [
          fixture.broker('employee'),
          fixture.broker('driver'),
          fixture.broker('other_broker'),
          fixture.broker('client_admin'),
          2_000_000_000,
          9_007_199_254_740_991,
          0,
          -1,
        ]) {
          const { status, json } = await fixture.assign([order], { broker_id });
          expect(status, String(broker_id)).to.equal(422);
          expect(json).to.deep.include({ code: 'UNKNOWN_CONTRACTOR' });
          expect(json.errors[0]).to.deep.include({ field: 'broker_id' });
        }
        expect(await fixture.of(order!)).to.deep.equal([]);
      });

      it('400 for invalid input, with the field; nothing is assigned', async () => {
        const [order] = await fixture.orders.create(1);
        for (const [body, path] of [
          [{ order_ids: 'all', broker_id: fixture.broker() }, '/order_ids'],
          [{ order_ids: [order, 'x'], broker_id: fixture.broker() }, '/order_ids/1'],
          [{ order_ids: [order, 1.5], broker_id: fixture.broker() }, '/order_ids/1'],
          [{ order_ids: [order], broker_id: 'me' }, '/broker_id'],
          [{ order_ids: [order], broker_id: fixture.broker(), note: 'n'.repeat(501) }, '/note'],
          [{ order_ids: [order], broker_id: fixture.broker(), note: 5 }, '/note'],
          [{ order_ids: Array.from({ length: 1_001 }, (_, n) => n + 1), broker_id: fixture.broker() }, '/order_ids'],
        ] as const) {
          const { status, json } = await fixture.as('client_admin', '', { body });
          expect(status, path).to.equal(400);
          expect(json.code).to.equal('INVALID_INPUT');
          expect(json.errors.map((error: { path: string }) => error.path)).to.include(path);
        }
        expect(await fixture.of(order!)).to.deep.equal([]);
        expect((await fixture.assign([order], { note: 'n'.repeat(500) })).json.assigned).to.equal(1);
      });

      it('only for client admins', async () => {
        const [order] = await fixture.orders.create(1);
        for (const by of ['employee', 'broker', 'driver', 'customer', 'auditor', 'platform_admin'] as const) {
          expect((await fixture.assign([order], { by })).status, by).to.equal(403);
          expect((await fixture.revoke([order], {}, by)).status, by).to.equal(403);
        }
        expect((await fixture.call('', { body: { order_ids: [order], broker_id: fixture.broker() } })).status).to.equal(
          401,
        );
        expect(await fixture.of(order!)).to.deep.equal([]);
      });

      it('runs once however often it is sent with the same key', async () => {
        const [order] = await fixture.orders.create(1);
        const headers = { 'idempotency-key': `assign-${order}` };
        const answers = [await fixture.assign([order], { headers }), await fixture.assign([order], { headers })];
        expect(answers.map(({ json }) => json.assigned)).to.deep.equal([1, 1]);
        expect(await fixture.of(order!)).to.have.length(1);
      });

      it('the response waits for the list (G6)', async () => {
        const made = await fixture.orders.create(40);
        for (const order of made) {
          await fixture.assign([order]);
          expect(await fixture.of(order), String(order)).to.have.length(1);
        }
      });
    });

    describe('revoke', () => {
      it('active -> revoked, with the reason; the order can be assigned again', async () => {
        const [order] = await fixture.orders.create(1);
        await fixture.assign([order]);
        const { status, json } = await fixture.revoke([order, order], { reason: 'strike' });
        expect(status).to.equal(200);
        expect(json).to.deep.equal({ result: true, revoked: 1, skipped: 0, errors: [] });
        expect((await fixture.of(order!))[0]).to.deep.include({
          status: 'revoked',
          end_reason: 'strike',
          ended_by: fixture.service.demo.users.client_admin.id,
        });
        expect((await fixture.assign([order])).json.assigned).to.equal(1);
      });

      it('is rejected per order: on a route, not assigned, foreign, unknown', async () => {
        const [routed, free, good] = (await fixture.orders.create(3)) as [number, number, number];
        const [foreign] = await fixture.orders.create(1, {}, await fixture.orders.businessOf('other'));
        await fixture.assign([routed, good]);
        await fixture.as('other_client_admin', '', {
          body: { order_ids: [foreign], broker_id: fixture.broker('other_broker') },
        });
        await fixture.orders.sendCommand(routed, { do: 'put_on_route', routeId: 1, brokerId: fixture.broker() });
        const { status, json } = await fixture.revoke([routed, free, good, foreign, 2_000_000_000]);
        expect(status).to.equal(200);
        expect(json).to.deep.include({ result: true, revoked: 1, skipped: 4 });
        expect(json.errors.map(({ order_id }: { order_id: number }) => order_id)).to.have.members([
          routed,
          free,
          foreign,
          2_000_000_000,
        ]);
        expect(json.errors.find(({ order_id }: { order_id: number }) => order_id === foreign).message).to.equal(
          'There is no such order.',
        );
        expect((await fixture.of(routed))[0]).to.deep.include({ status: 'active', route_id: 1, order_status_id: 30 });
        expect((await fixture.list(`?order_id=${foreign}`, 'other_client_admin')).json.assignments[0].status).to.equal(
          'active',
        );
        await fixture.orders.sendCommand(routed, { do: 'take_off_route', routeId: 1 });
        expect((await fixture.revoke([routed])).json.revoked).to.equal(1);
        expect((await fixture.revoke([free])).json).to.deep.include({ result: false, revoked: 0, skipped: 1 });
      });

      it('422 without orders, 400 for a reason that is too long', async () => {
        for (const body of [{}, { order_ids: [] }, { order_ids: null, reason: 'x' }])
          expect((await fixture.as('client_admin', '/revoke', { body })).status).to.equal(422);
        const [order] = await fixture.orders.create(1);
        await fixture.assign([order]);
        expect((await fixture.revoke([order], { reason: 'r'.repeat(256) })).status).to.equal(400);
        expect((await fixture.revoke([order], { reason: 'r'.repeat(255) })).json.revoked).to.equal(1);
      });
    });

    describe('release', () => {
      it('active -> released, by its contractor', async () => {
        const [order] = await fixture.orders.create(1);
        await fixture.assign([order]);
        const { status, json } = await fixture.release(order, { reason: 'no van' });
        expect(status).to.equal(200);
        const { assignment, ...rest } = json;
        expect(rest).to.deep.equal({ result: true, message: 'The order has been returned to the business.' });
        expect(assignment).to.deep.equal((await fixture.of(order!))[0]);
        expect(assignment).to.deep.include({ status: 'released', end_reason: 'no van', ended_by: fixture.broker() });
      });

      it('400 on a route; 400 if assigned to another contractor, unassigned, foreign or unknown', async () => {
        const [routed, others, free] = (await fixture.orders.create(3)) as [number, number, number];
        const [foreign] = await fixture.orders.create(1, {}, await fixture.orders.businessOf('other'));
        await fixture.assign([routed]);
        await fixture.assign([others], { broker_id: fixture.broker('broker_2') });
        await fixture.as('other_client_admin', '', {
          body: { order_ids: [foreign], broker_id: fixture.broker('other_broker') },
        });
        await fixture.orders.sendCommand(routed, { do: 'put_on_route', routeId: 1, brokerId: fixture.broker() });
        const onRoute = await fixture.release(routed);
        expect([onRoute.status, onRoute.json.code]).to.deep.equal([400, 'RELEASE_ON_ROUTE']);
        for (const order of [others, free, foreign, 2_000_000_000, -1]) {
          const { status, json } = await fixture.release(order);
          expect([status, json.code], String(order)).to.deep.equal([400, 'NOT_ASSIGNED_TO_YOU']);
        }
        expect((await fixture.of(others))[0].status).to.equal('active');
      });

      it('400 for invalid input, 403 for all other roles', async () => {
        for (const body of [{}, { order_id: 'x' }, { order_id: null }, { order_id: 1, reason: 'r'.repeat(256) }])
          expect((await fixture.as('broker', '/release', { body })).status, JSON.stringify(body).slice(0, 40)).to.equal(
            400,
          );
        const [order] = await fixture.orders.create(1);
        await fixture.assign([order]);
        for (const by of ['client_admin', 'employee', 'driver', 'customer', 'auditor'] as const)
          expect((await fixture.release(order, {}, by)).status, by).to.equal(403);
      });
    });

    it('403 while the module is disabled, for all four', async () => {
      const demo = await fixture.orders.businessOf('demo');
      const [order] = await fixture.orders.create(1);
      const turn = async (on: boolean) => {
        const { position } = await fixture.service.service.commands.businesses(
          businessStream(demo),
          { do: 'switch', commandId: crypto.randomUUID(), module: 'contractor_assignment', on },
          { correlationId: crypto.randomUUID(), actor: { kind: 'system', id: 'test' }, channel: 'system' },
        );
        await fixture.service.service.progress.waitFor('businesses', position!, WAIT_LIMIT_MS);
      };
      await turn(false);
      try {
        for (const answer of [
          await fixture.list(),
          await fixture.list('', 'broker'),
          await fixture.assign([order]),
          await fixture.revoke([order]),
          await fixture.release(order),
        ])
          expect([answer.status, answer.json.code]).to.deep.equal([403, 'MODULE_OFF']);
      } finally {
        await turn(true);
      }
      expect(await fixture.of(order!)).to.deep.equal([]);
    });

    it('503 before the migration', async () => {
      const { pool } = fixture.service.service.engines;
      await pool.query('alter schema assignments rename to assignments_away');
      try {
        const { status, json, headers } = await fixture.list();
        expect([status, json.code]).to.deep.equal([503, 'MODULE_UNAVAILABLE']);
        // GraphQL responds field by field, so it has no header for a single field.
        if (by === 'REST') expect(headers.get('retry-after')).to.match(/^\d+$/);
      } finally {
        await pool.query('alter schema assignments_away rename to assignments');
      }
      expect((await fixture.list()).status).to.equal(200);
    });
  });
