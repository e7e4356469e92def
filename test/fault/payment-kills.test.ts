/**
 * The process that pays, cancels and refunds orders is killed again and again. Afterwards the books agree: what orders
 * received from wallets equals what the wallets paid, no cancelled order keeps money, and no payment stays open.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { compare, sum } from '../../src/events/core/money.js';
import { compareBooks } from '../support/checks/bills-and-wallets.js';
import { call, type Answer } from '../support/clients/http.js';
import { atDepth } from '../support/depth.js';
import { eventually } from '../support/eventually.js';
import {
  BRIEF_LEASES,
  endServiceProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../support/processes/service-process.js';
import { startTestService, type TestService } from '../support/worlds/service.js';
import { asUsers, signIns, type AsUsers } from '../support/worlds/users.js';

const ROUNDS = atDepth(100, 2);
const CLIENTS = 8;
const STOP = { name: 'Ada', street: 'Weg 1', city: 'Berlin', country: 'DE', postal_code: '10115' };
const ORDER = { type: 'D', delivery: STOP, packages: [{ weight_kg: 1 }] };

describe('payments whose process is killed', function () {
  let t: TestService;
  let as: AsUsers;
  let keyOf: ReturnType<typeof signIns>;
  let dataDir: string;
  const orderIds: number[] = [];
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'transport-payment-kill-'));
    t = await startTestService({ env: { RATE_LIMIT_WRITE: '100000', RATE_LIMIT_READ: '100000' } });
    as = asUsers(t);
    keyOf = signIns(t);
    const path = `/customers/${t.demo.users.customer.id}/wallet/credits`;
    await as('employee', path, { amount: '5000.00', currency: 'EUR', source: 'cash' });
  });
  after(async () => {
    await endServiceProcesses();
    await t.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (): Promise<ServiceProcess> =>
    startServiceProcess({
      dataDir,
      databaseUrl: t.databaseUrl,
      env: { ...BRIEF_LEASES, ROLES: 'api', RATE_LIMIT_WRITE: '100000' },
    });
  const newOrder = async (): Promise<number> => {
    const { order_id } = (await as('customer', '/orders', ORDER)).json;
    const lines = [{ code: 'delivery', amount: '7.00' }];
    await as('employee', `/orders/${order_id}/charges`, { lines, currency: 'EUR' }, 'PUT');
    orderIds.push(order_id as number);
    return order_id as number;
  };

  /** Pays orders, and cancels, reprices or refunds them, until the process is dead. */
  async function client(url: string, ids: readonly number[], isDead: () => boolean): Promise<void> {
    const send = async (user: 'customer' | 'client_admin', path: string, body: object, method = 'POST') =>
      call(`${url}/api/v1${path}`, { key: await keyOf(user), body, method }).catch((): Answer | undefined => undefined);
    for (const id of ids) {
      if (isDead()) return;
      const paid = await send('customer', `/orders/${id}/pay`, {});
      const payment_id = paid?.json?.payment_id as string | undefined;
      if (id % 3 === 0) await send('customer', `/orders/${id}/cancel`, {});
      else if (id % 3 === 1 && payment_id)
        await send('client_admin', `/orders/${id}/refunds`, { payment_id, amount: '2.00', reason: 'late' });
      else await send('client_admin', `/orders/${id}/charges`, { lines: [{ code: 'less', amount: '4.00' }] }, 'PUT');
    }
  }

  for (let round = 1; round <= ROUNDS; round += 1)
    it(`agree with the wallets (${round})`, async () => {
      const ids = await Promise.all(Array.from({ length: CLIENTS * 3 }, newOrder));
      const killed = await start();
      let dead = false;
      const clients = Array.from({ length: CLIENTS }, (_, n) =>
        client(
          killed.url,
          ids.filter((_id, index) => index % CLIENTS === n),
          () => dead,
        ),
      );
      await sleep(20 + Math.random() * 200);
      await killed.end('SIGKILL');
      dead = true;
      await Promise.all(clients);
      await eventually(async () => (await compareBooks(t)).open === 0, 'all payments and refunds are finished');
      const { received, captured, refunded, returned, cancelledWithMoney, ledgerSum } = await compareBooks(t);
      expect(received, 'received by orders and paid by wallets').to.equal(captured);
      expect(refunded, 'refunded by orders and returned to wallets').to.equal(returned);
      expect(cancelledWithMoney).to.deep.equal([]);
      expect(compare(ledgerSum, '0')).to.equal(0);
    });

  it('leave the balance that the bills explain', async () => {
    const { received, refunded } = await compareBooks(t);
    const { wallets } = (await as('auditor', `/customers/${t.demo.users.customer.id}/wallets`)).json;
    const eur = (amount: string) => ({ amount, currency: 'EUR' });
    expect(sum(eur(wallets[0].balance), eur(received), eur(`-${refunded}`)).amount).to.equal('5000.00');
    expect(wallets[0].held).to.equal('0.00');
    expect(orderIds.length).to.equal(ROUNDS * CLIENTS * 3);
  });
});
