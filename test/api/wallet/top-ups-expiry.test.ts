/** A top-up expires by the clock alone, and a process records the expiry once it runs again. */
import { expect } from 'chai';
import type { Demo } from '../../../src/compose/demo/demo.js';
import { topUpStream } from '../../../src/events/wallet/top-ups.js';
import { expectSameReplay } from '../../support/checks/replay.js';
import { eventually } from '../../support/eventually.js';
import { PROFILE, TOP_UP } from '../../support/inputs/top-ups.js';
import { freshDatabase, type FreshDatabase } from '../../support/worlds/database.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers } from '../../support/worlds/users.js';

const TOP_UPS = '/customer/wallet/top-ups';
const LIFETIME = 14 * 24 * 3_600_000;

describe('top-ups that expire', () => {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  const now = () => clock;
  let database: FreshDatabase;
  let demo: Demo;
  let id: number;
  const typesOf = async ({ service }: TestService): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of service.engines.log.read(topUpStream(id))) types.push(type);
    return types;
  };
  const running = async (env: Record<string, string>, run: (test: TestService) => Promise<void>, seed = false) => {
    const test = await startTestService({ databaseUrl: database.url, now, env, seed });
    try {
      await run(test);
    } finally {
      await test.stop();
    }
  };
  before(async () => {
    database = await freshDatabase();
    await running(
      {},
      async (test) => {
        ({ demo } = test);
        const as = asUsers(test);
        await as('client_admin', '/billing-profile', PROFILE, 'PUT');
        id = (await as('customer', TOP_UPS, TOP_UP)).json.top_up.id as number;
      },
      true,
    );
  });
  after(() => database.drop());

  it('have expired for every reader and for confirmations, although no process has recorded it', async () => {
    await running({ ROLES: 'api' }, async (test) => {
      const as = asUsers({ api: test.api, demo, now });
      clock += LIFETIME - 1;
      expect((await as('customer', `${TOP_UPS}/${id}`)).json.top_up.status).to.equal('pending');
      expect((await as('employee', `${TOP_UPS}?status=pending`)).json.total).to.equal(1);
      clock += 1;
      for (const user of ['customer', 'employee'] as const)
        expect((await as(user, `${TOP_UPS}/${id}`)).json.top_up.status, user).to.equal('expired');
      expect((await as('employee', `${TOP_UPS}?status=pending`)).json.total).to.equal(0);
      expect((await as('employee', `${TOP_UPS}?status=expired`)).json.total).to.equal(1);
      expect((await as('customer', '/customer/credits')).json.recent_top_ups[0].status).to.equal('expired');
      const { status, json } = await as('employee', `/top-ups/${id}/confirm`, { amount: '50.00' });
      expect([status, json.code]).to.deep.equal([409, 'CONFLICT']);
      expect(await typesOf(test)).to.deep.equal(['TopUpBegun']);
    });
  });

  it('are recorded as expired once, by the next process that runs timers', async () => {
    await running({}, async (test) => {
      await eventually(async () => (await typesOf(test)).length === 2, 'the expiry');
      expect(await typesOf(test)).to.deep.equal(['TopUpBegun', 'TopUpExpired']);
      const as = asUsers({ api: test.api, demo, now });
      expect((await as('employee', `${TOP_UPS}?status=expired`)).json.total).to.equal(1);
      expect((await as('employee', `/top-ups/${id}/confirm`, { amount: '50.00' })).status).to.equal(409);
      const { status } = await as('employee', `/customers/${demo.users.customer.id}/wallet/credits`, {
        amount: '50.00',
        source: 'bank',
      });
      expect(status, 'staff credit a late transfer').to.equal(200);
      expect(await typesOf(test)).to.deep.equal(['TopUpBegun', 'TopUpExpired']);
      await expectSameReplay(test, ['topups', 'timers']);
    });
  });
});
