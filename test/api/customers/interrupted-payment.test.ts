/** A process ends between the creation of an order and its payment: the follower of orders finishes the payment. */
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { orders } from '../../../src/commands/orders/decider.js';
import { orderStream } from '../../../src/events/orders/events.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';
import { asUsers, type AsUsers } from '../../support/worlds/users.js';

/** The demo business. */
const BUSINESS = 1;
const ZERO = '0.00';

describe('an order whose payment was interrupted', () => {
  let t: TestService;
  let as: AsUsers;
  let customer: number;
  before(async () => {
    t = await startTestService();
    as = asUsers(t);
    customer = t.demo.users.customer.id;
    const credit = { amount: '10.00', currency: 'EUR', source: 'cash' };
    await as('employee', `/customers/${customer}/wallet/credits`, credit);
  });
  after(() => t.stop());

  /** Appends a new order with an open payment, as a process does directly before it ends. */
  async function interrupted(orderId: number, total: string): Promise<void> {
    const { log, keyRing } = t.service.engines;
    const handle = createHandler({ decider: orders, log, types: EVENT_TYPES, keyRing, now: Date.now });
    const commandId = derivedId('interrupted', orderId);
    const line = { code: 'delivery', kind: 'charge', amount: total, taxable: false } as const;
    const amounts = { subtotal: total, surchargeAmount: ZERO, taxAmount: ZERO, total };
    const order = {
      type: 'D' as const,
      self_delivery: true,
      delivery: { postal_code: '10115' },
      packages: [{ tracking_number: `INTERRUPTED${orderId}` }],
      time_windows: [],
      customer_id: customer,
    };
    await handle(
      orderStream(orderId),
      {
        do: 'create',
        commandId,
        orderId,
        business: BUSINESS,
        order,
        agreed: { charges: { currency: 'EUR', lines: [line], ...amounts }, settlement: 'online' },
        payment: { from: 'wallet', paymentId: derivedId('payment', orderId), accountId: customer },
      },
      { correlationId: commandId, actor: { kind: 'user', id: String(customer) }, channel: 'rest' },
    );
  }
  const settled = async (id: number) => {
    const found = async () => (await as('employee', `/orders/${id}`)).json.order;
    await eventually(async () => {
      const order = await found();
      return order?.payment_status === 'paid' || order?.status === 'HOLD';
    }, 'the payment is finished');
    return found();
  };

  it('is paid if the wallet has the money, and held if it has not', async () => {
    await interrupted(9_001, '6.00');
    expect(await settled(9_001)).to.include({ status: 'NEW_ORDER', payment_status: 'paid', hold_reason: null });
    await interrupted(9_002, '6.00');
    expect(await settled(9_002)).to.include({ status: 'HOLD', payment_status: 'unpaid', hold_reason: 'payment' });
    const { json } = await as('auditor', `/customers/${customer}/wallets`);
    expect(json.wallets[0].balance).to.equal('4.00');
  });
});
