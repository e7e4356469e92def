/** Commands to an order with a bill, for tests. */
import type { BillChange, Charges } from '../../../src/commands/bill/command.js';
import type { CommandTo } from '../../../src/commands/orders/command.js';
import type { OrderCommand } from '../../../src/commands/orders/decider.js';
import { orders } from '../../../src/commands/orders/decider.js';
import type { ChargeSource } from '../../../src/events/bill/events.js';
import { rounded } from '../../../src/events/core/money.js';
import { derivedId } from '../../../src/events/otep/identity.js';
import { given } from '../../support/checks/given.js';

export const CUSTOMER = 7;
let commands = 0;

export const idOf = (n: number): string => derivedId('test', n);

type Body = OrderCommand extends infer C
  ? C extends OrderCommand
    ? Omit<C, 'commandId' | 'orderId' | 'business'>
    : never
  : never;
export const command = (body: Body): OrderCommand =>
  ({ commandId: `command ${(commands += 1)}`, orderId: 3, business: 1, by: 2, ...body }) as OrderCommand;
const bill = (change: BillChange): OrderCommand => command(change as Body);

export function chargesOf(amount: string, currency = 'EUR', source?: ChargeSource): Charges {
  const [total, zero] = [rounded(amount, currency), rounded('0', currency)];
  return {
    currency,
    lines: [{ code: 'delivery', kind: 'charge', amount: total, taxable: false }],
    subtotal: total,
    surchargeAmount: zero,
    taxAmount: zero,
    total,
    ...(source && { source }),
  };
}
export const sourceWith = (fee: ChargeSource['cancellation_fee']): ChargeSource => ({
  rate_card_id: 1,
  card_version: 1,
  service_code: 'standard',
  inputs: {
    from: { country: 'DE' },
    to: { country: 'DE' },
    packages: [],
    requested: { date: '2027-03-01', time: '09:00' },
  },
  cancellation_fee: fee,
});

export const setCharges = (
  amount: string,
  {
    currency = 'EUR',
    settlement = undefined as 'offline' | 'online' | undefined,
    fee = undefined as ChargeSource['cancellation_fee'],
  } = {},
) => bill({ do: 'set_charges', charges: chargesOf(amount, currency, fee && sourceWith(fee)), settlement });
export const pay = (n: number, expectedAmount?: string) =>
  bill({ do: 'begin_payment', paymentId: idOf(n), accountId: CUSTOMER, expectedAmount });
export const paid = (n: number) => bill({ do: 'conclude_payment', paymentId: idOf(n) });
export const failed = (n: number) =>
  bill({ do: 'conclude_payment', paymentId: idOf(n), failure: 'INSUFFICIENT_FUNDS' });
export const cash = (n: number, amount: string) =>
  bill({ do: 'record_payment', paymentId: idOf(n), amount, method: 'cash' });
export const refund = (n: number, payment: number, amount?: string, to: 'wallet' | 'outside' = 'wallet') =>
  bill({ do: 'begin_refund', refundId: idOf(n), paymentId: idOf(payment), amount, to, reason: 'late' });
export const refunded = (n: number) => bill({ do: 'conclude_refund', refundId: idOf(n) });
export const cancel = (byCustomer = false) => command({ do: 'cancel', byCustomer });
export const scan = (status_code: string) =>
  command({
    do: 'scan',
    tracking_number: 'A1',
    status_code,
    occurred_at: '2027-03-02T10:00:00Z',
    instant: '2027-03-02T10:00:00.000000000Z' as never,
  });

const create = (customer: number | undefined, price: Pick<CommandTo<'create'>, 'agreed' | 'payment'> = {}) =>
  command({
    do: 'create',
    order: {
      type: 'D',
      self_delivery: true,
      delivery: { postal_code: '10115' },
      packages: [{ tracking_number: 'A1' }],
      time_windows: [],
      ...(customer !== undefined && { customer_id: customer }),
    },
    ...price,
  });
/** An order whose creation begins payment 1 (`wallet`), or that waits for its payment. */
export const paidOrder = (from: 'wallet' | 'awaited', ...past: readonly OrderCommand[]) =>
  given(
    orders,
    create(CUSTOMER, {
      agreed: { charges: chargesOf('10.00'), settlement: 'online' },
      payment: from === 'awaited' ? { from } : { from, paymentId: idOf(1), accountId: CUSTOMER },
    }),
    ...past,
  );

export const order = (...past: readonly OrderCommand[]) => given(orders, create(CUSTOMER), ...past);
/** An order that belongs to no customer. */
export const officeOrder = (...past: readonly OrderCommand[]) => given(orders, create(undefined), ...past);
