/** Random commands to the bills of orders. */
import type { BillChange, Charges } from '../../../../../src/commands/bill/command.js';
import type { ChangedPrice, PricedParts } from '../../../../../src/commands/orders/command.js';
import { decimal, fixed } from '../../../../../src/events/core/money.js';
import { orderStream } from '../../../../../src/events/orders/events.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { CAUSE } from '../../../worlds/test-core.js';
import { generator, type Act, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const CUSTOMER = 5;

/** Few ids, so that commands meet. */
const paymentOf = (pick: Pick): string => derivedId('mix', 'bill payment', pick.of(4));
const cashOf = (pick: Pick): string => derivedId('mix', 'bill cash', pick.of(3));
const amountOf = (pick: Pick, upTo: number): string => `${pick.of(upTo)}.${10 * pick.of(9)}`;

function charges(pick: Pick): Charges {
  const amount = fixed(decimal(amountOf(pick, 30)), 2);
  return {
    currency: pick.one('EUR', 'EUR', 'USD'),
    lines: [{ code: 'delivery', kind: 'charge', amount, taxable: false }],
    lineNames: { delivery: `To Ada ${pick.of(9)}` },
    subtotal: amount,
    surchargeAmount: '0.00',
    taxAmount: '0.00',
    total: amount,
  };
}

const send = ({ sendThrough, core, business }: Tools, orderId: number, body: object) =>
  sendThrough(core.commands.orders, orderStream(orderId), { ...body, orderId, business, by: 1 } as never);
const act =
  (change: (pick: Pick) => BillChange): Act =>
  (tools, pick) =>
    send(tools, tools.existing(pick), change(pick));

const create = (tools: Tools, isOfCustomer: boolean, price: object = {}) => {
  const orderId = tools.fresh();
  return send(tools, orderId, {
    do: 'create',
    order: {
      type: 'D',
      self_delivery: true,
      delivery: { postal_code: '10115' },
      packages: [{ tracking_number: `BILLED${orderId}` }],
      time_windows: [],
      ...(isOfCustomer && { customer_id: CUSTOMER }),
    },
    ...price,
  });
};

/** The members of the order that its price depends on. */
async function partsOf({ core, business }: Tools, orderId: number): Promise<PricedParts> {
  const probe = {
    do: 'update' as const,
    updates: [],
    orderId,
    business,
    commandId: derivedId('mix', 'probe', orderId),
  };
  const { schedule, warehouse, bill } = (await core.commands.orders(orderStream(orderId), probe, CAUSE)).reply;
  return { schedule, warehouse, billVersion: bill.version };
}

/** A price by the card, or the wait for the price. */
const priceAfter = (pick: Pick): Omit<ChangedPrice, 'of'> =>
  pick.of(4) === 1
    ? { awaitsPrice: true }
    : {
        agreed: { charges: { ...charges(pick), currency: 'EUR' }, settlement: 'online' },
        payment: pick.one({ from: 'awaited' }, { from: 'wallet', paymentId: paymentOf(pick), accountId: CUSTOMER }),
      };

async function reroute(tools: Tools, pick: Pick, price?: Omit<ChangedPrice, 'of'>) {
  const orderId = tools.existing(pick);
  const of = price && (await partsOf(tools, orderId));
  const replacement = tools.fresh();
  return send(tools, orderId, {
    do: 'reroute',
    replacement: {
      order_id: replacement,
      delivery: { postal_code: '20095' },
      tracking_numbers: [`BILLED${replacement}`],
    },
    ...(price && { byCustomer: true, price: { of, ...price } }),
  });
}

export const MIX = generator({
  create: (tools, pick) => create(tools, pick.of(3) > 1),
  // The order is held until it is paid, at once or after the payment has failed.
  createPaid: (tools, pick) =>
    create(tools, true, {
      agreed: { charges: { ...charges(pick), lineNames: undefined }, settlement: 'online' },
      payment: pick.one({ from: 'awaited' }, { from: 'wallet', paymentId: paymentOf(pick), accountId: CUSTOMER }),
    }),
  setCharges: act((pick) => ({
    do: 'set_charges',
    charges: charges(pick),
    settlement: pick.one('online', 'online', 'offline'),
  })),
  begin: act((pick) => ({ do: 'begin_payment', paymentId: paymentOf(pick), accountId: CUSTOMER })),
  conclude: act((pick) => ({
    do: 'conclude_payment',
    paymentId: paymentOf(pick),
    ...(pick.of(3) === 1 && { failure: 'WALLET_FROZEN' as const }),
  })),
  record: act((pick) => ({
    do: 'record_payment',
    paymentId: cashOf(pick),
    amount: amountOf(pick, 5),
    method: pick.one('cash', 'bank', 'card_terminal', 'other'),
    reference: `Receipt ${pick.of(9)}`,
  })),
  refund: act((pick) => ({
    do: 'begin_refund',
    refundId: derivedId('mix', 'bill refund', pick.of(100_000)),
    paymentId: pick.one(cashOf(pick), paymentOf(pick)),
    amount: amountOf(pick, 2),
    to: pick.one('wallet', 'outside'),
    reason: 'late',
  })),
  /** By staff: the replacement continues price, payments and hold. */
  reroute: (tools, pick) => reroute(tools, pick),
  rerouteByCustomer: (tools, pick) => reroute(tools, pick, priceAfter(pick)),
  reschedule: async (tools, pick) => {
    const orderId = tools.existing(pick);
    const schedule_date = pick.one('2030-12-02', '2030-12-03');
    const of = await partsOf(tools, orderId);
    const price = { of: { ...of, schedule: { ...of.schedule, schedule_date } }, ...priceAfter(pick) };
    return send(tools, orderId, {
      do: 'update',
      updates: [{ do: 'reschedule', schedule_date }],
      byCustomer: true,
      price,
    });
  },
  cancel: (tools, pick) =>
    pick.of(3) === 1 ? send(tools, tools.existing(pick), { do: 'cancel', by: 1, byCustomer: true }) : undefined,
});
