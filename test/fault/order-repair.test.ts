/**
 * A process dies between the event of an order and its consequences: the timelines of its packages, the order that
 * replaces it, and the payment of that order. The next process completes them, once.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { orderStream } from '../../src/events/orders/events.js';
import { TRACKING_PREFIX } from '../../src/events/trackings/events.js';
import { WALLET_PREFIX } from '../../src/events/wallet/events.js';
import type { OrderCommand } from '../../src/commands/orders/decider.js';
import { compareBooks } from '../support/checks/bills-and-wallets.js';
import { eventually } from '../support/eventually.js';
import { freshDatabase, query, type FreshDatabase } from '../support/worlds/database.js';
import { MASTER_KEY, startTestService } from '../support/worlds/service.js';
import { asUsers } from '../support/worlds/users.js';

const SCRIPT = fileURLToPath(new URL('../support/processes/order-and-hang.js', import.meta.url));

describe('orders whose process dies', () => {
  let database: FreshDatabase;
  before(async () => void (database = await freshDatabase()));
  after(() => database.drop());

  /** Runs the command in a process that is killed before the first append to streams with the prefix. */
  async function killedBefore(prefix: string, command: OrderCommand): Promise<void> {
    const args = [SCRIPT, database.url, MASTER_KEY, JSON.stringify(command), prefix];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout })) if (line === 'hangs') break;
    child.kill('SIGKILL');
    expect((await exited)[1]).to.equal('SIGKILL');
  }

  it("their timelines are completed by the next process, caused by the order's event, and only once", async () => {
    const seeding = await startTestService({ databaseUrl: database.url });
    await seeding.stop();
    const command: OrderCommand = {
      do: 'create',
      commandId: randomUUID(),
      orderId: 900,
      business: 1,
      by: 5,
      order: {
        type: 'D',
        self_delivery: true,
        delivery: { name: 'Ada', city: 'Toronto' },
        packages: [{ tracking_number: 'CRASH1' }, { tracking_number: 'CRASH2' }],
        time_windows: [],
      },
    };
    await killedBefore(TRACKING_PREFIX, command);
    const eventCounts = () =>
      query<{ cause: string; n: number }>(
        database.url,
        `select metadata->>'$causationId' as cause, count(*)::int as n from log.events where stream like 'tracking-%' and metadata->>'$correlationId' = $1 and type = 'TrackingEventRecorded' group by 1`,
        [command.commandId],
      );
    expect(await eventCounts()).to.deep.equal([]);

    const service = await startTestService({ databaseUrl: database.url });
    try {
      await eventually(async () => (await service.read('CRASH2')).status === 200, 'the second timeline');
      expect((await service.read('CRASH1')).json.current_status).to.equal('information_submitted');
      const [created] = await query<{ id: string }>(
        database.url,
        `select id from log.events where stream = $1 and type = 'OrderCreated'`,
        [orderStream(900)],
      );
      expect(await eventCounts()).to.deep.equal([{ cause: created!.id, n: 2 }]);
      // The retry of the client finds everything done.
      await service.service.commands.orders(orderStream(900), command, {
        correlationId: randomUUID(),
        actor: { kind: 'user', id: '5' },
        channel: 'rest',
        business: '1',
      });
      expect(await eventCounts()).to.deep.equal([{ cause: created!.id, n: 2 }]);
    } finally {
      await service.stop();
    }
  });

  for (const [prefix, hung] of [
    [TRACKING_PREFIX, 'before its replacement exists'],
    [WALLET_PREFIX, 'before the wallet has paid its replacement'],
  ] as const)
    it(`a paid order that is rerouted keeps its payment if the process dies ${hung}`, async () => {
      const [orderId, replacementId] = prefix === TRACKING_PREFIX ? [910, 911] : [920, 921];
      const seeding = await startTestService({ databaseUrl: database.url });
      const customer = seeding.demo.users.customer.id;
      let as = asUsers(seeding);
      const before = await seeding.service.commands.orders(orderStream(orderId), created(orderId, customer), CAUSE);
      expect(before.reply.status).to.equal('NEW_ORDER');
      const credit = { amount: '10.00', currency: 'EUR', source: 'cash' };
      await as('employee', `/customers/${customer}/wallet/credits`, credit);
      await eventually(async () => (await as('customer', `/orders/${orderId}`)).status === 200, 'the order');
      expect((await as('customer', `/orders/${orderId}/pay`, {})).status).to.equal(200);
      const balance = async () =>
        (await as('auditor', `/customers/${customer}/wallets`)).json.wallets[0].balance as string;
      const paid = Number(await balance());
      await seeding.stop();

      await killedBefore(prefix, {
        do: 'reroute',
        commandId: randomUUID(),
        orderId,
        business: 1,
        by: customer,
        byCustomer: true,
        replacement: {
          order_id: replacementId,
          delivery: { name: 'Ada', city: 'Ottawa' },
          tracking_numbers: [`MOVED${replacementId}`],
        },
        price: {
          of: { schedule: { time_windows: [], schedule_date: '2030-12-02' }, warehouse: undefined, billVersion: 1 },
          agreed: { charges: chargesOf('7.50'), settlement: 'online' },
          payment: { from: 'wallet', paymentId: randomUUID(), accountId: customer },
        },
      });

      const service = await startTestService({ databaseUrl: database.url });
      try {
        as = asUsers(service);
        const replacement = async () => (await as('customer', `/orders/${replacementId}`)).json.order;
        await eventually(
          async () => (await replacement())?.payment_status === 'paid',
          'the payment of the replacement',
        );
        expect(await replacement()).to.include({
          status: 'NEW_ORDER',
          replaces_order_id: orderId,
          shipping_price: '7.50',
          paid_amount: '7.50',
        });
        expect(paid - Number(await balance())).to.be.closeTo(2.5, 0.001);
        await eventually(async () => (await compareBooks(service)).open === 0, 'all payments are finished');
        const { received, captured, moved, carried, cancelledWithMoney, ledgerSum } = await compareBooks(service);
        expect([received, moved, cancelledWithMoney, Number(ledgerSum)]).to.deep.equal([captured, carried, [], 0]);
        expect(carried).to.equal(prefix === TRACKING_PREFIX ? '5.00' : '10.00');
      } finally {
        await service.stop();
      }
    });
});

const CAUSE = {
  correlationId: randomUUID(),
  actor: { kind: 'user', id: '5' },
  channel: 'rest',
  business: '1',
} as const;

const chargesOf = (total: string) => ({
  currency: 'EUR',
  lines: [{ code: 'delivery', kind: 'charge' as const, amount: total, taxable: false }],
  subtotal: total,
  surchargeAmount: '0.00',
  taxAmount: '0.00',
  total,
});

const created = (orderId: number, customer: number): OrderCommand => ({
  do: 'create',
  commandId: randomUUID(),
  orderId,
  business: 1,
  by: 5,
  order: {
    type: 'D',
    self_delivery: true,
    customer_id: customer,
    schedule_date: '2030-12-02',
    delivery: { name: 'Ada', city: 'Toronto' },
    packages: [{ tracking_number: `PAID${orderId}` }],
    time_windows: [],
  },
  agreed: { charges: chargesOf('5.00'), settlement: 'online' },
});
