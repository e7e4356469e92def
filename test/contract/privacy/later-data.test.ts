/** Data about an erased subject that is recorded after the erasure is erased too, found by its own events (scale 1). */
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { callTool } from '../../support/clients/mcp.js';
import { query } from '../../support/worlds/database.js';
import { openOrderFixture, type OrderFixture } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { businessIds, causeOf, sendToOrder } from '../../support/worlds/shipments.js';
import { signIns } from '../../support/worlds/users.js';

describe('scale 1: later data of erased subjects', () => {
  let t: TestService;
  let fixture: OrderFixture;
  let admin: string;
  before(async () => {
    t = await startTestService();
    fixture = openOrderFixture(t);
    admin = await signIns(t)('client_admin');
  });
  after(() => t.stop());

  const erase = async (subject: string) => {
    const { status, text } = await t.api(`/privacy/subjects/${subject}/erase`, { key: admin, body: {} });
    expect(status, text).to.equal(200);
  };
  const exists = async (key: string) => (await t.service.engines.keyRing.existing([key])).size > 0;
  const erasureOf = async (subject: string) =>
    (
      await query<{ keys: string[]; finished_at: string | null }>(
        t.databaseUrl,
        'select keys, finished_at from erasures.erasures where subject = $1',
        [subject],
      )
    )[0]!;
  const isErasedWith = (subject: string, key: string) =>
    eventually(async () => {
      const { keys, finished_at } = await erasureOf(subject);
      return keys.includes(key) && finished_at !== null && !(await exists(key));
    }, `the end of ${key}`);

  const propose = async (order: number): Promise<string> => {
    const { structuredContent } = await callTool(
      t,
      'propose_write',
      { tool: 'update_order_note', arguments: { order_id: order, note: 'SECRET' }, reason: 'because' },
      { token: admin },
    );
    return (structuredContent['proposal'] as { id: string }).id;
  };
  const reject = async (id: string) => {
    const { status, text } = await t.api(`/proposals/${id}/reject`, { key: admin, body: { comment: 'no' } });
    expect(status, text).to.equal(200);
  };

  it('a proposal about an erased order, when it is decided; one about another order stays', async () => {
    const [erased, kept] = [(await fixture.order()).order_id, (await fixture.order()).order_id] as [number, number];
    await erase(`order-${erased}`);
    const [about, other] = [await propose(erased), await propose(kept)];
    expect(await exists(`proposal-${about}`)).to.equal(true);
    await reject(other);
    await reject(about);
    await isErasedWith(`order-${erased}`, `proposal-${about}`);
    expect(await exists(`proposal-${other}`)).to.equal(true);
  });

  it('an order of an erased customer; one of another customer stays', async () => {
    const { demo } = await businessIds(t.service);
    const customer = async (email: string): Promise<number> => {
      const body = { email, name: 'Ada', password: 'correct horse battery', role: 'customer' };
      return (await t.api('/users', { key: admin, body })).json.user.id;
    };
    const [gone, other] = [await customer('gone@example.org'), await customer('other@example.org')];
    await erase(`account-${gone}`);
    const cause = causeOf(demo, t.demo.users.client_admin.id);
    for (const [id, customer_id] of [
      [70_001, gone],
      [70_002, other],
    ] as const)
      await sendToOrder(
        t.service,
        id,
        demo,
        {
          do: 'create',
          order: {
            type: 'D',
            self_delivery: true,
            packages: [{ tracking_number: `LATER${id}` }],
            time_windows: [],
            delivery: { name: 'SECRET', city: 'Berlin' },
            customer_id,
          },
        },
        cause,
      );
    await isErasedWith(`account-${gone}`, 'order-70001');
    expect(await exists('order-70002')).to.equal(true);
  });
});
