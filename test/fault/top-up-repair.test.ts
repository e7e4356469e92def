/** A process dies between the confirmation of a top-up and the credit: the next process credits it, once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { CreditedTopUp } from '../../src/commands/wallet/crediting.js';
import type { TopUpConfirmation } from '../../src/commands/wallet/top-ups.js';
import { topUpStream } from '../../src/events/wallet/top-ups.js';
import { eventually } from '../support/eventually.js';
import { PROFILE, TOP_UP } from '../support/inputs/top-ups.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { MASTER_KEY, startTestService } from '../support/worlds/service.js';
import { asUsers } from '../support/worlds/users.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/confirm-and-hang.js', import.meta.url));

describe('top-ups whose process dies', () => {
  let database: FreshDatabase;
  before(async () => void (database = await freshDatabase()));
  after(() => database.drop());

  it('are credited by the next process, caused by the confirmation, and only once', async () => {
    const seeding = await startTestService({ databaseUrl: database.url });
    const as = asUsers(seeding);
    await as('client_admin', '/billing-profile', PROFILE, 'PUT');
    const { id, reference } = (await as('customer', '/customer/wallet/top-ups', TOP_UP)).json.top_up;
    const { demo } = seeding;
    await seeding.stop();

    const accountId = demo.users.customer.id;
    const topUp: CreditedTopUp = { id, business: 1, accountId, currency: 'EUR', reference };
    const confirmation: TopUpConfirmation = {
      do: 'confirm',
      id,
      business: 1,
      amount: '49.00',
      by: demo.users.employee.id,
      bankReference: 'Statement 8',
      at: Date.now(),
    };
    const given = [topUp, confirmation].map((one) => JSON.stringify(one));
    const child = spawn(process.execPath, [SCRIPT, database.url, MASTER_KEY, ...given], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line === 'hangs') break;
    child.kill('SIGKILL');
    expect((await exited)[1]).to.equal('SIGKILL');
    const credits = () =>
      query<{ cause: string; amount: string }>(
        database.url,
        `select metadata->>'$causationId' as cause, data->>'amount' as amount from log.events where stream = $1 and type = 'FundsAdded'`,
        [`wallet-${accountId}-EUR`],
      );
    expect(await credits()).to.deep.equal([]);
    const [confirmed] = await query<{ id: string }>(
      database.url,
      `select id from log.events where stream = $1 and type = 'BankTransferConfirmed'`,
      [topUpStream(id)],
    );

    const service = await startTestService({ databaseUrl: database.url, seed: false });
    try {
      await eventually(async () => (await credits()).length > 0, 'the credit');
      expect(await credits()).to.deep.equal([{ cause: confirmed!.id, amount: '49.00' }]);
      // The retry of the client finds everything done.
      const asNext = asUsers({ api: service.api, demo, now: service.now });
      const retried = await asNext('employee', `/top-ups/${id}/confirm`, { amount: '49.00' });
      expect([retried.status, retried.json.top_up.received_amount]).to.deep.equal([200, '49.00']);
      expect((await asNext('customer', '/customer/credits')).json.balance).to.equal('49.00');
      expect(await credits()).to.have.length(1);
    } finally {
      await service.stop();
    }
  });
});
