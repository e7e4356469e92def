/** `npm run audit -- ledger` on a running service, and on a log with one changed amount. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../../support/processes/cli.js';
import { skip } from '../../support/run-summary.js';
import { query } from '../../support/worlds/database.js';
import { MASTER_KEY, startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

describe('audit ledger', function () {
  let test: TestService;
  let as: AsUsers;
  let dir: string;
  let customer: number;
  before(async function () {
    if (process.env['TEST_LOG']) return skip(this, 'the test changes the log in PostgreSQL');
    dir = await mkdtemp(join(tmpdir(), 'transport-ledger-'));
    test = await startTestService();
    as = asUsers(test);
    customer = test.demo.users.customer.id;
  });
  after(async () => {
    await test?.stop();
    if (dir) await rm(dir, { recursive: true, force: true });
  });

  const ledger = () => runCli('audit', ['ledger'], { DATABASE_URL: test.databaseUrl, MASTER_KEY, DATA_DIR: dir });
  const intrude = (change: string) =>
    query(
      test.databaseUrl,
      `alter table log.events disable trigger append_only; ${change}; alter table log.events enable trigger append_only`,
    );

  it('prints the trial balance of the log alone', async () => {
    const empty = await ledger();
    expect(empty.code, empty.stderr).to.equal(0);
    expect(empty.stdout).to.match(/^ledger: 0 wallets, 0 events, [\d.]+ s, balanced\n$/);
    const path = `/customers/${customer}/wallet`;
    await as('employee', `${path}/credits`, { amount: '100.00', currency: 'EUR', source: 'bank' });
    await as('client_admin', `${path}/adjustments`, { amount: '-2.50', reason: 'late delivery' });
    await as('employee', `${path}/credits`, { amount: '500', currency: 'JPY', source: 'cash' });
    await query(test.databaseUrl, 'delete from ledger.ledger; delete from wallets.wallets');
    const { code, stdout, stderr } = await ledger();
    expect(code, stderr).to.equal(0);
    expect(stdout.split('\n').slice(0, -2)).to.deep.equal([
      'business 1, EUR, adjustment: credit 2.50',
      'business 1, EUR, bank: debit 100.00',
      'business 1, EUR, customer: credit 97.50',
      'business 1, JPY, cash: debit 500',
      'business 1, JPY, customer: credit 500',
    ]);
    expect(stdout).to.match(/ledger: 2 wallets, 5 events, [\d.]+ s, balanced\n$/);
  });

  it('names the event whose amount was changed', async () => {
    const stream = `wallet-${customer}-EUR`;
    const event = `stream = '${stream}' and revision = 1`;
    const change = (from: string, to: string) =>
      intrude(`update log.events set data = replace(data::text, '${from}', '${to}')::json where ${event}`);
    const [{ id, position }] = (await query<{ id: string; position: string }>(
      test.databaseUrl,
      `select id, lpad(position::text, 19, '0') as position from log.events where ${event}`,
    )) as [{ id: string; position: string }];
    await change('"side":"credit","amount":"100.00"', '"side":"credit","amount":"900.00"');
    const { code, stdout } = await ledger();
    expect(code).to.equal(3);
    expect(stdout).to.include(
      `ledger: ${stream} 1 (event ${id}, position ${position}) FundsAdded: its lines sum to 800.00, not to zero\n`,
    );
    expect(stdout).to.match(/1 wallet is wrong\n$/);
    await change('900.00', '100.00');
    await change('"amount":"100.00"', '"amount":"90.00"');
    expect((await ledger()).stdout, 'changed in all places: only audit verify finds it').to.match(/balanced/);
  });
});
