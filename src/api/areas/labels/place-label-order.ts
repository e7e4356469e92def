/** Creates label orders, and buys their labels: the first purchase, and purchases of labels that are missing. */
import type { Settle } from '../../../commands/bill/settling.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { LabelCommand, LabelReply, RequiredPayment } from '../../../commands/labels/command.js';
import { isDueNow } from '../../../commands/labels/purchasing.js';
import type { LabelReader } from '../../../commands/labels/reader.js';
import { purchaseRequestOf } from './label-requests.js';
import type { LabelState } from '../../../commands/labels/state.js';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import { remainingAmount, type Bill } from '../../../events/bill/state.js';
import { isPositive } from '../../../events/core/money.js';
import type { EffectProgress } from '../../../events/effects/progress.js';
import { labelStream } from '../../../events/labels/events.js';
import { labelOrderState } from '../../../events/labels/state.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { CarrierAccount } from '../../../projections/carrier-accounts/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import { refusedPayment } from '../bills/refused-payment.js';
import { LABEL_FAMILY } from './label-prices.js';
import type { AgreedRate, LabelRates } from './label-rates.js';
import { newLabelOrder, type NewLabel } from './new-label-order.js';
import { noRate } from './no-rate.js';
import { isOffered } from './rated-account.js';

export interface PlaceLabelOrderOptions {
  readonly handle: Handle<LabelCommand, LabelReply>;
  readonly read: LabelReader;
  /** Whether the personal data of the order exists. */
  readonly isReadable: (stream: string) => Promise<boolean>;
  readonly rates: Pick<LabelRates, 'release'>;
  readonly accounts: { byId(id: number, business: number): Promise<CarrierAccount | undefined> };
  readonly adapterOf: (id: string) => CarrierAdapter | undefined;
  readonly terms: Pick<CustomerTermsQueries, 'ofFamily'>;
  readonly settle: Pick<Settle, 'refusalOf'>;
  readonly digestOf: (request: unknown) => string;
  /** Throws CARRIER_UNAVAILABLE while the circuit of the account is open. */
  readonly expectAvailable: (account: CarrierAccount) => void;
  readonly perform: (begun: {
    readonly stream: string;
    readonly effect: EffectProgress;
    readonly changed: boolean;
    readonly cause: Pick<Cause, 'dryRun'>;
    readonly usedMs?: number;
  }) => Promise<EffectProgress>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Of = Pick<Context, 'cause' | 'commandId' | 'wrote' | 'time'>;

export type PlaceLabelOrders = ReturnType<typeof createPlaceLabelOrders>;

export function createPlaceLabelOrders(options: PlaceLabelOrderOptions) {
  const {
    handle,
    read,
    isReadable,
    rates,
    accounts,
    adapterOf,
    terms,
    settle,
    digestOf,
    expectAvailable,
    perform,
    now,
  } = options;

  /**
   * Creates the order at the agreed rate, and buys its labels for at most 12 s. Throws the errors of `agree`, of the
   * payment, NO_RATE and CARRIER_UNAVAILABLE; then nothing was created. A repeated request continues.
   */
  async function place(order: NewLabel, agree: () => Promise<AgreedRate>, of: Of): Promise<LabelState> {
    const stream = labelStream(order.orderId);
    const before = await read(stream);
    if (before.created?.business === order.business) return performOpen(stream, before.state, of, false);
    const agreed = await agree();
    try {
      const command = await commandOf(order, agreed, of);
      const { reply, position } = await handle(stream, command, of.cause);
      of.wrote(position);
      if (of.cause.dryRun) return stateOf(reply);
      const isPaid = command.payment === undefined;
      return await performOpen(stream, (await read(stream)).state, of, isPaid);
    } catch (error) {
      if (!of.cause.dryRun && (error instanceof ApiError || error instanceof DomainError))
        await rates.release(agreed.rateId, order.orderId);
      throw error;
    }
  }

  async function commandOf(order: NewLabel, rate: AgreedRate, { cause, commandId }: Of) {
    const { orderId, business, customerId, userId } = order;
    const account = await accounts.byId(rate.accountId, business);
    const adapter = account && adapterOf(account.adapter);
    if (!account || !adapter || account.disabled) throw noRate();
    const { formats, sizes, multi_piece } = adapter.capabilities;
    if (!formats.includes(order.labelFormat) || !sizes.includes(order.labelSize)) throw noRate();
    expectAvailable(account);
    const data = newLabelOrder(order, rate, account, multi_piece);
    const shipments = data.shipments.map((one) => ({
      ...one,
      digest: digestOf(purchaseRequestOf({ ...data, order_id: orderId }, one.about)),
    }));
    const payment = await paymentFor(customerId, rate.agreed && totalOf(rate.agreed), {
      orderId,
      business,
      cause,
      commandId,
    });
    return {
      do: 'create' as const,
      commandId,
      orderId,
      business,
      by: userId,
      order: { ...data, shipments },
      agreed: rate.agreed,
      payment,
    };
  }

  /**
   * The payment that the terms of the customer require before a purchase. Throws INSUFFICIENT_FUNDS, WALLET_FROZEN and
   * NO_WALLET_IN_CURRENCY.
   */
  async function paymentFor(
    customerId: number | null,
    due: { readonly amount: string; readonly currency: string } | undefined,
    { orderId, business, cause, commandId }: { orderId: number; business: number; cause: Cause; commandId: string },
  ): Promise<RequiredPayment | undefined> {
    if (customerId === null || !due || !isPositive(due.amount)) return undefined;
    const { hidden, payment_terms } = await terms.ofFamily(customerId, LABEL_FAMILY);
    if (hidden || payment_terms !== 'wallet_on_create') return undefined;
    const payment = { paymentId: derivedId('payment', orderId, commandId), accountId: customerId };
    const asked = { payment_id: payment.paymentId, account_id: customerId, ...due };
    const refusal = await settle.refusalOf({ orderId, business, family: LABEL_FAMILY }, asked, cause);
    if (refusal) throw refusedPayment(refusal, due.currency);
    return payment;
  }

  /** Buys the labels that are missing. Throws PURCHASE_IN_PROGRESS, LABEL_EXISTS and the errors of `place`. */
  async function purchase(orderId: number, business: number, userId: number, of: Of): Promise<LabelState> {
    const stream = labelStream(orderId);
    const { state, created } = await read(stream);
    if (created?.business !== business) throw new ApiError('ORDER_NOT_FOUND');
    // Without the addresses nothing can be bought.
    if (!(await isReadable(stream))) throw new DomainError('ORDER_CLOSED', { status: labelOrderState(state.order) });
    const account = await accounts.byId(created.account_id, business);
    const isSold = account?.methods.some((method) => method.method_id === created.method_id && isOffered(method));
    if (!account || account.disabled || !adapterOf(account.adapter) || !isSold) throw noRate();
    expectAvailable(account);
    const { cause, commandId } = of;
    const due = isDueNow(state) ? dueOf(state.bill) : undefined;
    const payment = await paymentFor(created.customer_id ?? null, due, { orderId, business, cause, commandId });
    const command = { do: 'purchase' as const, commandId, orderId, business, by: userId, payment };
    const { reply, position, changed } = await handle(stream, command, cause);
    of.wrote(position);
    if (cause.dryRun) return stateOf(reply);
    return performOpen(stream, (await read(stream)).state, of, changed && !payment);
  }

  /** Performs the effects of the order that are open. `isNew`: this request has appended their beginnings. */
  async function performOpen(
    stream: string,
    state: LabelState,
    { cause, wrote, time }: Of,
    isNew: boolean,
  ): Promise<LabelState> {
    const open = [...state.effects.values()].filter(({ step }) => step === 'begun' || step === 'reserved');
    // Rates take several seconds, and the request must end in time.
    const usedMs = now() - time;
    await Promise.all(open.map((effect) => perform({ stream, effect, changed: isNew, cause, usedMs })));
    const after = await read(stream);
    wrote(after.past.at(-1)?.position);
    return after.state;
  }

  return { place, purchase, performOpen };
}

/** The state after a dry run. */
const stateOf = ({ order, bill, open }: LabelReply): LabelState => ({
  created: undefined,
  order,
  bill,
  effects: new Map(open.map((effect) => [effect.effectId, effect])),
  isOver: false,
  isUnsuccessful: false,
  cancelledPrice: undefined,
  price: undefined,
  isDueAgain: false,
  done: new Set(),
});

const totalOf = ({ charges: { total, currency } }: NonNullable<AgreedRate['agreed']>) => ({ amount: total, currency });

const dueOf = (bill: Bill) =>
  bill.version === 0 || bill.settlement === 'offline'
    ? undefined
    : { amount: remainingAmount(bill), currency: bill.currency };
