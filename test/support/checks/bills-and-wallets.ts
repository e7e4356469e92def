/** Compares the bills of orders with the wallets, from the events of the log alone. */
import { sum } from '../../../src/events/core/money.js';
import type { EventTypes } from '../../../src/events/core/codec.js';
import { decode } from '../../../src/events/core/codec.js';
import { START } from '../../../src/events/core/log.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import { evolveBill, NO_BILL, openPayment, paidAmount, type Bill } from '../../../src/events/bill/state.js';
import { ORDER_PREFIX } from '../../../src/events/orders/events.js';
import { WALLET_PREFIX, type Line } from '../../../src/events/wallet/events.js';
import type { TestService } from '../worlds/service.js';

export interface Comparison {
  /** Sum of the payments that orders received from wallets. */
  readonly received: string;
  /** Sum of the payments of wallets. */
  readonly captured: string;
  /** Sum of the refunds of orders into wallets, and of the amounts that wallets got from orders. */
  readonly refunded: string;
  readonly returned: string;
  /** Sum of the payments that rerouted orders gave to their replacements, and that these have. */
  readonly moved: string;
  readonly carried: string;
  /** Payments and refunds that are not finished. */
  readonly open: number;
  /** Cancelled orders that keep money. */
  readonly cancelledWithMoney: readonly string[];
  /** Sum of the lines of all events. */
  readonly ledgerSum: string;
}

const total = (amounts: readonly string[]): string =>
  sum({ amount: '0', currency: 'EUR' }, ...amounts.map((amount) => ({ amount, currency: 'EUR' }))).amount;

/** All amounts are in EUR. */
export async function compareBooks(
  { service }: Pick<TestService, 'service'>,
  types: EventTypes = EVENT_TYPES,
): Promise<Comparison> {
  const bills = new Map<string, Bill>();
  const cancelled = new Set<string>();
  const [captured, returned, lines]: [string[], string[], string[]] = [[], [], []];
  const { log } = service.engines;
  const head = await log.head();
  const options = { prefixes: [ORDER_PREFIX, WALLET_PREFIX], batch: 1_000, signal: new AbortController().signal };
  for await (const { events, position } of log.subscribe(START, options)) {
    for (const event of events) {
      const data = decode(event, types);
      if (event.stream.startsWith(ORDER_PREFIX)) {
        bills.set(event.stream, evolveBill(bills.get(event.stream) ?? NO_BILL, { type: event.type, data }));
        if (event.type === 'OrderCancelled') cancelled.add(event.stream);
        continue;
      }
      if (event.type === 'FundsCaptured') captured.push(data['amount'] as string);
      if (event.type === 'FundsReturned') returned.push(data['amount'] as string);
      for (const { side, amount } of (data['lines'] ?? []) as unknown as readonly Line[])
        lines.push(side === 'credit' ? amount : `-${amount}`);
    }
    if (position >= head) break;
  }
  const all = [...bills.entries()];
  return {
    received: total(
      all.flatMap(([, { payments }]) =>
        payments
          .filter(({ method, status, carried_from }) => method === 'wallet' && status === 'received' && !carried_from)
          .map(({ amount }) => amount),
      ),
    ),
    captured: total(captured),
    refunded: total(
      all.flatMap(([, { refunds }]) => refunds.filter(({ to }) => to === 'wallet').map(({ amount }) => amount)),
    ),
    returned: total(returned),
    moved: total(
      all.flatMap(([, { refunds }]) => refunds.filter(({ to }) => to === 'replacement').map(({ amount }) => amount)),
    ),
    carried: total(
      all.flatMap(([, { payments }]) =>
        payments.filter(({ carried_from }) => carried_from !== undefined).map(({ amount }) => amount),
      ),
    ),
    open: all.filter(([, bill]) => openPayment(bill) || bill.refunds.some(({ status }) => status === 'begun')).length,
    cancelledWithMoney: all
      .filter(([stream, bill]) => cancelled.has(stream) && paidAmount(bill) !== bill.total && bill.version > 0)
      .map(([stream]) => stream),
    ledgerSum: total(lines),
  };
}
