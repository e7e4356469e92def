/** Creates label orders, and buys their labels: the first purchase, and purchases of labels that are missing. */
import type { Settle } from '../../../commands/bill/settling.js';
import type { Cause, Handle } from '../../../commands/core/handle.js';
import { DomainError } from '../../../commands/core/domain-error.js';
import type { CreateLabelOrder, LabelCommand, LabelReply, RequiredPayment } from '../../../commands/labels/command.js';
import type { LabelReader } from '../../../commands/labels/reader.js';
import { purchaseRequestOf } from './label-requests.js';
import type { LabelState } from '../../../commands/labels/state.js';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import type { CarrierShipment, LabelFormat, LabelSize } from '../../../engines/outside/carriers/shipment.js';
import { remainingAmount, type Bill } from '../../../events/bill/state.js';
import { compact } from '../../../events/core/compact.js';
import { isPositive, rounded, sum, times, type Money } from '../../../events/core/money.js';
import type { EffectProgress } from '../../../events/effects/progress.js';
import { WHOLE_ORDER } from '../../../events/labels/effects.js';
import { labelStream } from '../../../events/labels/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { CarrierAccount } from '../../../projections/carrier-accounts/queries.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';
import { ApiError } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';
import { refusedPayment } from '../bills/refused-payment.js';
import { LABEL_FAMILY } from './label-prices.js';
import type { AgreedRate, LabelRates } from './label-rates.js';
import { noRate } from './no-rate.js';
import { isOffered } from './rated-account.js';

export interface PlaceLabelOrderOptions {
  readonly handle: Handle<LabelCommand, LabelReply>;
  readonly read: LabelReader;
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

/** A checked request for a label order. */
export interface NewLabel {
  readonly orderId: number;
  readonly business: number;
  readonly customerId: number | null;
  readonly userId: number;
  readonly shipment: CarrierShipment;
  readonly labelFormat: LabelFormat;
  readonly labelSize: LabelSize;
}

type Of = Pick<Context, 'cause' | 'commandId' | 'wrote' | 'time'>;

/** Tolerance where the price of a customer is fixed, in percent of the carrier's price. */
const FIXED_PRICE_TOLERANCE = '5';
const PERCENT = '0.01';

export type PlaceLabelOrders = ReturnType<typeof createPlaceLabelOrders>;

export function createPlaceLabelOrders(options: PlaceLabelOrderOptions) {
  const { handle, read, rates, accounts, adapterOf, terms, settle, digestOf, expectAvailable, perform, now } = options;

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
    const data = dataOf(order, rate, account, multi_piece);
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
    const account = await accounts.byId(created.account_id, business);
    const isSold = account?.methods.some((method) => method.method_id === created.method_id && isOffered(method));
    if (!account || account.disabled || !adapterOf(account.adapter) || !isSold) throw noRate();
    expectAvailable(account);
    const { cause, commandId } = of;
    const payment = await paymentFor(created.customer_id ?? null, dueOf(state.bill), {
      orderId,
      business,
      cause,
      commandId,
    });
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
  done: new Set(),
});

const totalOf = ({ charges: { total, currency } }: NonNullable<AgreedRate['agreed']>) => ({ amount: total, currency });

const dueOf = (bill: Bill) =>
  bill.version === 0 || bill.settlement === 'offline'
    ? undefined
    : { amount: remainingAmount(bill), currency: bill.currency };

/** The highest cost of a purchase: the agreed cost, and the tolerance of the account in percent. */
function maxCostOf({ agreed, currency }: AgreedRate, { price_tolerance_percent }: CarrierAccount) {
  const tolerance = price_tolerance_percent ?? (agreed ? FIXED_PRICE_TOLERANCE : '0');
  return (amount: string): Money => {
    const more = rounded(times(times(amount, tolerance), PERCENT), currency);
    return sum({ amount, currency }, { amount: more, currency });
  };
}

/** The order without the digests of its requests. */
function dataOf(
  { customerId, shipment, labelFormat, labelSize }: NewLabel,
  rate: AgreedRate,
  account: CarrierAccount,
  isMultiPiece: boolean,
): CreateLabelOrder['order'] {
  const { from, to, return_to, packages, ship_date, order_ref, options, customs } = shipment;
  const maxCost = maxCostOf(rate, account);
  const ids = packages.map(({ package_id }) => package_id);
  const contents = packages.flatMap(({ package_id, description }) =>
    description === undefined ? [] : [[package_id, description] as const],
  );
  return compact({
    customer_id: customerId ?? undefined,
    order_ref,
    account_id: account.id,
    adapter: account.adapter,
    method_id: rate.methodId,
    method_code: rate.methodCode,
    method_name: rate.methodName,
    carrier: rate.carrier,
    ship_date,
    from,
    to,
    return_to,
    packages: packages.map(({ description: _description, ...parcel }) => compact(parcel)),
    contents: contents.length > 0 ? Object.fromEntries(contents) : undefined,
    options,
    customs,
    label_format: labelFormat,
    label_size: labelSize,
    rate_id: rate.rateId,
    agreed_cost: { amount: rate.cost, currency: rate.currency },
    shipments: isMultiPiece
      ? [{ about: WHOLE_ORDER, packages: ids, digest: '', max_cost: maxCost(rate.cost) }]
      : ids.map((about, n) => ({
          about,
          packages: [about],
          digest: '',
          max_cost: maxCost(rate.packageCosts?.[n] ?? rate.cost),
        })),
  }) as CreateLabelOrder['order'];
}
