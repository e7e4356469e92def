/** Pools over real HTTP: the orders that can be planned now, and by whom, according to the rules of contractors. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ruleFor, type ContractorRule } from '../../../src/events/contractors/events.js';
import type { OrderType } from '../../../src/events/orders/events.js';
import { createDatabase } from '../../../src/projections/core/database.js';
import { createPlanningQueries } from '../../../src/projections/contractors/queries.js';
import { openDispatchFixture, type DispatchFixture } from '../../support/worlds/dispatch.js';
import type { UserName } from '../../support/worlds/users.js';
import { runs } from '../../support/depth.js';

describe('dispatch', () => {
  let fixture: DispatchFixture;
  before(async () => void (fixture = await openDispatchFixture()));
  after(() => fixture.stop());

  const poolOf = async (user: UserName) => {
    const all: { id: number; reason: string; rule: unknown; assignment_id: number | null }[] = [];
    for (let page = 1, total = 1; all.length < total; page++) {
      const { status, json } = await fixture.as(user, `/planning/pool?per_page=200&page=${page}`);
      expect(status).to.equal(200);
      total = json.total;
      all.push(...json.orders);
    }
    return new Map(all.map((one) => [one.id, one]));
  };

  describe('pools', () => {
    it('an assigned order leaves every other pool, and comes back when it is revoked or released', async () => {
      await fixture.setRules([{ order_types: ['D'], postal_prefixes: ['10'] }]);
      await fixture.setRules([{ postal_prefixes: ['101', '102'] }], 'broker_2');
      const [order] = await fixture.orders.create(1);
      const reasons = async () =>
        Promise.all(
          (['client_admin', 'employee', 'broker', 'broker_2'] as const).map(
            async (user) => (await poolOf(user)).get(order!)?.reason,
          ),
        );
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      await fixture.assign([order!]);
      expect(await reasons()).to.deep.equal([undefined, undefined, 'assigned', undefined]);
      expect((await poolOf('broker')).get(order!)!.assignment_id).to.be.a('number');
      await fixture.assign([order!], 'broker_2');
      expect(await reasons()).to.deep.equal([undefined, undefined, undefined, 'assigned']);
      await fixture.as('client_admin', '/broker-order-assignments/revoke', { order_ids: [order] });
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      await fixture.assign([order!]);
      await fixture.as('broker', '/broker-order-assignments/release', { order_id: order });
      expect(await reasons()).to.deep.equal(['business', 'business', 'rule', 'rule']);
      expect((await poolOf('other_client_admin')).has(order!)).to.equal(false);
      expect((await poolOf('other_broker')).has(order!)).to.equal(false);
    });

    it('contain the orders that can be planned now, and the matching rule', async () => {
      await fixture.setRules([{ order_types: ['P'] }, { order_types: ['D'], postal_prefixes: ['10'] }]);
      const [free, held, routed, given] = (await fixture.orders.create(4)) as [number, number, number, number];
      const [elsewhere] = await fixture.orders.create(1, {
        delivery: { postal_code: '80331', city: 'München', country: 'DE' },
      });
      const [carriers] = await fixture.orders.create(1, { self_delivery: false });
      await fixture.orders.sendCommand(held, { do: 'hold' });
      await fixture.add(await fixture.route(), [routed]);
      await fixture.orders.sendCommand(given, { do: 'give_to_third_party', provider: 'demo-carrier' });
      const [client, contractor] = [await poolOf('client_admin'), await poolOf('broker')];
      for (const gone of [held, routed, given, carriers!])
        for (const pool of [client, contractor]) expect(pool.has(gone), String(gone)).to.equal(false);
      expect(client.get(elsewhere!)?.reason).to.equal('business');
      expect(contractor.has(elsewhere!)).to.equal(false);
      expect(contractor.get(free)).to.deep.include({
        reason: 'rule',
        rule: { order_types: ['D'], postal_prefixes: ['10'] },
        assignment_id: null,
      });
      expect(client.get(free)).to.deep.include({ reason: 'business', rule: null });
    });

    it('the database applies a rule like the decider', async () => {
      const { pool } = fixture.service.service.engines;
      const planning = createPlanningQueries(createDatabase(pool));
      const code = fc.option(fc.constantFrom('10115', '1 0 115', 'sw1a 1aa', 'SW1A1AA', '20095', '', '1'), {
        nil: null,
      });
      const shape = fc.record({
        type: fc.constantFrom<OrderType>('D', 'P', 'P2P'),
        pickup_postal_code: code,
        delivery_postal_code: code,
      });
      const rule: fc.Arbitrary<ContractorRule> = fc.record(
        {
          order_types: fc.subarray<OrderType>(['D', 'P', 'P2P'], { minLength: 1 }),
          postal_prefixes: fc.uniqueArray(fc.constantFrom('1', '10', 'SW1', '2', '20095', 'X'), { minLength: 1 }),
        },
        { requiredKeys: [] },
      );
      const other = await fixture.orders.businessOf('other');
      const shapes = fc.sample(shape, 60);
      await Promise.all(
        shapes.map(({ type, pickup_postal_code, delivery_postal_code }) =>
          fixture.orders.create(
            1,
            {
              type,
              pickup: { ...(pickup_postal_code !== null && { postal_code: pickup_postal_code }) },
              delivery: { ...(delivery_postal_code !== null && { postal_code: delivery_postal_code }) },
            },
            other,
          ),
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(rule, { maxLength: 3 }), async (rules) => {
          const all = (await planning.pool({ business: other }, { offset: 0, limit: 1_000 })).orders;
          const found = (
            await planning.pool(
              { business: other, contractor: { id: 1_999_999_999, rules } },
              { offset: 0, limit: 1_000 },
            )
          ).orders;
          expect(found.map((one) => one.id)).to.deep.equal(
            all.filter((one) => ruleFor(rules, one)).map((one) => one.id),
          );
        }),
        { numRuns: runs(60) },
      );
    });

    it('rules are set only by client admins, for their own contractors, and read by those affected', async () => {
      const rules = [{ order_types: ['D', 'P2P'], postal_prefixes: ['sw1 ', 'EC'] }];
      const { status, json } = await fixture.setRules(rules);
      expect(status).to.equal(200);
      expect(json.rules).to.deep.equal([{ order_types: ['D', 'P2P'], postal_prefixes: ['SW1', 'EC'] }]);
      for (const user of ['client_admin', 'employee', 'broker'] as const)
        expect((await fixture.as(user, `/brokers/${fixture.id('broker')}/rules`)).json.rules, user).to.deep.equal(
          json.rules,
        );
      for (const user of ['broker_2', 'other_client_admin', 'other_broker'] as const)
        expect((await fixture.as(user, `/brokers/${fixture.id('broker')}/rules`)).status, user).to.equal(404);
      for (const user of ['employee', 'broker', 'driver', 'customer', 'auditor'] as const)
        expect((await fixture.setRules([], 'broker', user)).status, user).to.equal(403);
      expect((await fixture.setRules([], 'broker', 'other_client_admin')).status).to.equal(404);
      expect((await fixture.setRules([], 'driver')).status).to.equal(404);
      for (const wrong of [
        undefined,
        {},
        [{ order_types: [] }],
        [{ order_types: ['X'] }],
        [{ postal_prefixes: ['%'] }],
        [{ postal_prefixes: ['  '] }],
        Array.from({ length: 51 }, () => ({})),
      ])
        expect((await fixture.setRules(wrong)).status, JSON.stringify(wrong)).to.equal(400);
      expect((await fixture.as('broker', `/brokers/${fixture.id('broker')}/rules`)).json.rules).to.deep.equal(
        json.rules,
      );
    });
  });
});
