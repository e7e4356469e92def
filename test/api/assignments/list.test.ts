/**
 * The list of contractor assignments over real HTTP, by REST and by GraphQL: its pages and filters, and the visible
 * rows per role.
 */
import { expect } from 'chai';
import { INTERFACES, openAssignmentFixture, type AssignmentFixture } from '../../support/worlds/assignments.js';
import { positionOf } from '../../support/worlds/service.js';

for (const by of INTERFACES)
  describe(`contractor assignment over ${by}`, () => {
    let fixture: AssignmentFixture;
    before(async () => void (fixture = await openAssignmentFixture(by)));
    after(() => fixture.stop());

    describe('list', () => {
      it('newest first, in pages, filtered by contractor, status and order', async () => {
        const made = await fixture.orders.create(12);
        const before = (await fixture.list('?per_page=1')).json.total as number;
        for (const part of [made.slice(0, 4), made.slice(4, 8), made.slice(8)])
          await fixture.assign(part, { broker_id: fixture.broker('broker_2') });
        await fixture.revoke(made.slice(0, 2));
        const { json } = await fixture.list('?per_page=5&page=1');
        expect(json).to.deep.include({ result: true, page: 1, per_page: 5, total: before + 12 });
        expect(json).to.have.all.keys('result', 'total', 'page', 'per_page', 'next_cursor', 'assignments');
        expect(json.assignments.map((one: { order_id: number }) => one.order_id)).to.have.members([
          ...made.slice(8),
          json.assignments[4].order_id,
        ]);
        const pages = await Promise.all(
          [1, 2, 3].map((page) => fixture.list(`?per_page=4&page=${page}&broker_id=${fixture.broker('broker_2')}`)),
        );
        const seen = pages.flatMap(
          (page) => page.json.assignments as { order_id: number; id: number; broker_id: number; assigned_at: string }[],
        );
        expect(new Set(seen.map(({ id }) => id)).size).to.equal(12);
        expect(seen.every(({ broker_id }) => broker_id === fixture.broker('broker_2'))).to.equal(true);
        expect(seen.slice(0, 12).map(({ order_id }) => order_id)).to.have.members(made);
        for (let at = 1; at < seen.length; at++)
          expect(seen[at - 1]!.assigned_at >= seen[at]!.assigned_at).to.equal(true);
        const revoked = await fixture.list(`?status=revoked&broker_id=${fixture.broker('broker_2')}&per_page=2`);
        expect(revoked.json.assignments.map((one: { order_id: number }) => one.order_id)).to.have.members(
          made.slice(0, 2),
        );
        expect((await fixture.list(`?order_id=${made[0]}&status=active`)).json).to.deep.include({
          total: 0,
          assignments: [],
        });
        expect((await fixture.list('?page=100000')).json).to.deep.include({ page: 100_000, assignments: [] });
      });

      it('50 per page by default, 1 to 200', async () => {
        const made = await fixture.orders.create(60);
        await fixture.assign(made);
        expect((await fixture.list()).json).to.deep.include({ page: 1, per_page: 50 });
        expect((await fixture.list()).json.assignments).to.have.length(50);
        expect((await fixture.list('?per_page=200')).json.assignments).to.have.length.above(59);
        for (const [query, field] of [
          ['per_page=0', 'per_page'],
          ['per_page=201', 'per_page'],
          ['page=0', 'page'],
          ['page=x', 'page'],
          ['status=gone', 'status'],
          ['broker_id=x', 'broker_id'],
          ['order_id=1.5', 'order_id'],
          ['order_id=99999999999', 'order_id'],
        ] as const) {
          const { status, json } = await fixture.list(`?${query}`);
          expect(status, query).to.equal(400);
          expect(json.errors[0].field).to.equal(field);
        }
      });

      it("a contractor sees only its own rows with any filter; employees all of the business; no caller another business's", async () => {
        const [mine, other] = (await fixture.orders.create(2)) as [number, number];
        await fixture.assign([mine]);
        await fixture.assign([other], { broker_id: fixture.broker('broker_2') });
        expect(await fixture.of(mine, 'broker')).to.have.length(1);
        expect(await fixture.of(other, 'broker')).to.deep.equal([]);
        const own = await fixture.list(`?broker_id=${fixture.broker('broker_2')}&per_page=200`, 'broker');
        expect(new Set(own.json.assignments.map((one: { broker_id: number }) => one.broker_id))).to.deep.equal(
          new Set([fixture.broker()]),
        );
        expect(await fixture.of(other, 'employee')).to.have.length(1);
        for (const by of ['other_client_admin', 'other_broker'] as const) {
          expect(await fixture.of(mine, by)).to.deep.equal([]);
          const { json } = await fixture.list(`?per_page=200&broker_id=${fixture.broker()}`, by);
          expect(
            json.assignments.every((one: { order_id: number }) => ![mine, other].includes(one.order_id)),
            by,
          ).to.equal(true);
        }
        for (const by of ['driver', 'customer', 'auditor', 'platform_admin'] as const)
          expect((await fixture.list('', by)).status, by).to.equal(403);
        expect((await fixture.call('')).status).to.equal(401);
      });

      it('follows the order, and sees a write whose position is sent', async () => {
        const [order] = await fixture.orders.create(1);
        const written = await fixture.assign([order]);
        await fixture.orders.sendCommand(order!, { do: 'reschedule', schedule_date: '2026-12-01' });
        await fixture.orders.sendCommand(order!, { do: 'put_on_route', routeId: 77, brokerId: fixture.broker() });
        const { json } = await fixture.list(`?order_id=${order}`, 'client_admin', positionOf(written));
        expect(json.assignments[0]).to.deep.include({
          scheduled_date: '2026-12-01',
          route_id: 77,
          order_status_id: 30,
        });
        await fixture.orders.sendCommand(order!, { do: 'cancel' });
        expect((await fixture.of(order!))[0]).to.deep.include({
          status: 'revoked',
          order_status_id: 110,
          route_id: null,
        });
      });
    });
  });
