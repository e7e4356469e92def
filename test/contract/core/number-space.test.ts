/** Delivery orders and label orders share one sequence of ids, also after a restore of the database. */
import { expect } from 'chai';
import { buyLabel, openSheetAccount } from '../../support/labels/sheet-account.js';
import { freshDatabase, query } from '../../support/worlds/database.js';
import { ORDER } from '../../support/worlds/orders.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { signIns } from '../../support/worlds/users.js';

const KINDS = ['delivery order', 'label order'] as const;
type Kind = (typeof KINDS)[number];

describe('the number space of orders', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let t: TestService;
  let demo: TestService['demo'];
  let method_id: number;
  before(async () => {
    database = await freshDatabase();
    t = await startTestService({ databaseUrl: database.url, seed: true });
    ({ demo } = t);
    method_id = (await openSheetAccount(t, await adminKey())).methodId;
  });
  after(async () => {
    await t?.stop();
    await database?.drop();
  });

  const adminKey = () => signIns({ ...t, demo })('client_admin');
  const create: Readonly<Record<Kind, () => Promise<number>>> = {
    async 'delivery order'() {
      const made = await t.api('/client/orderCreate', { key: await adminKey(), body: ORDER });
      expect(made.status, made.text).to.equal(201);
      return made.json.order_id as number;
    },
    'label order': async () => buyLabel(t, await adminKey(), { method_id }),
  };
  /** As after a restore: the rows are there, and the sequence begins again. */
  async function restore(): Promise<void> {
    await t.stop();
    await query(database.url, 'alter sequence access.orders_id restart');
    t = await startTestService({ databaseUrl: database.url, seed: false });
  }

  it('gives consecutive ids to both kinds', async () => {
    const ids: number[] = [];
    for (const kind of [...KINDS, ...KINDS]) ids.push(await create[kind]());
    expect(ids).to.deep.equal(ids.map((_, index) => ids[0]! + index));
  });

  for (const last of KINDS)
    for (const next of KINDS)
      it(`number-space 1: after a restore, a ${next} has a higher id than the last ${last}`, async () => {
        for (const kind of [...KINDS.filter((kind) => kind !== last), last]) await create[kind]();
        const highest = await create[last]();
        await restore();
        expect(await create[next]()).to.equal(highest + 1);
      });
});
