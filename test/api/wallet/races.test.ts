/** Many simultaneous requests to one wallet never spend more than is available. */
import { expect } from 'chai';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

const REQUESTS = 40;

describe('simultaneous requests to a wallet', () => {
  let test: TestService;
  let as: AsUsers;
  let path: string;
  before(async () => {
    test = await startTestService({ env: { RATE_LIMIT_WRITE: '100000' } });
    as = asUsers(test);
    path = `/customers/${test.demo.users.customer.id}`;
  });
  after(() => test.stop());

  it('withdraw and correct at most the balance', async () => {
    await as('employee', `${path}/wallet/credits`, { amount: '10.00', currency: 'EUR', source: 'cash' });
    const responses = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        index % 2 === 0
          ? as('client_admin', `${path}/wallet/withdrawals`, { amount: '0.90', to: 'bank' })
          : as('client_admin', `${path}/wallet/adjustments`, { amount: '-0.90', reason: 'race' }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(11);
    expect(statuses.filter((status) => status === 402)).to.have.length(REQUESTS - 11);
    const { json } = await as('auditor', `${path}/wallets`);
    expect(json.wallets[0]).to.deep.include({ balance: '0.10', available: '0.10' });
  });

  it('with the same idempotency key take effect once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { amount: '5.00', source: 'cash' };
    const { email, password } = test.demo.users.employee;
    const { json: session } = await test.api('/user/login', { body: { email, password } });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        test.api(`${path}/wallet/credits`, { key: session.access_token as string, body, headers }),
      ),
    );
    expect(responses.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).to.deep.equal([]);
    const { json } = await as('auditor', `${path}/wallets`);
    expect(json.wallets[0].balance).to.equal('5.10');
  });
});
