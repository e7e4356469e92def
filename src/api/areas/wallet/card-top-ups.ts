/** Card payments and refunds of top-ups, for the operations. */
import { DomainError } from '../../../commands/core/domain-error.js';
import { dryRunOf, type Handle } from '../../../commands/core/handle.js';
import type { BookCard, TopUpReader } from '../../../commands/wallet/booking-cards.js';
import { paymentRequestOf } from '../../../commands/wallet/card-requests.js';
import type { AnyWalletCommand, Refusal, WalletReply } from '../../../commands/wallet/command.js';
import { topUps as decider, type BeginTopUp, type TopUpCommand } from '../../../commands/wallet/top-ups.js';
import { cardDigitsOf } from '../../../engines/payments/card-amounts.js';
import type { Position } from '../../../events/core/log.js';
import { rounded, compare, type Money } from '../../../events/core/money.js';
import type { EffectProgress } from '../../../events/effects/progress.js';
import type { EffectReply } from '../../../events/effects/records.js';
import { CARD_ADAPTER, type Checkout, type PaymentProvider } from '../../../events/wallet/card-payments.js';
import { walletStream, type WalletKey } from '../../../events/wallet/events.js';
import { TopUpBegun, topUpStream, type BegunTopUp } from '../../../events/wallet/top-ups.js';
import type { TopUp } from '../../../projections/wallet/top-up-queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, fieldError, invalidField, invalidForm } from '../../core/errors.js';
import type { Context } from '../../core/operation.js';

/** How the customer wants to pay. */
export interface CardInput {
  readonly checkout?: Checkout | undefined;
  readonly return_url?: string | undefined;
}

/** The account at the provider that a new payment uses. */
export interface PaymentAccount {
  readonly account: string;
  readonly provider: PaymentProvider;
}

type Begin = BeginTopUp & { readonly id: number; readonly business: number; readonly at: number };
type Performed = Pick<Context, 'cause'> & { readonly effect: EffectProgress; readonly changed: boolean };

export interface CardTopUpsOptions {
  readonly handle: Handle<TopUpCommand, EffectReply>;
  readonly wallets: Handle<AnyWalletCommand, WalletReply>;
  readonly read: TopUpReader;
  readonly book: BookCard;
  /** The account for new payments of a business; undefined: there is none. */
  readonly accountOf: (business: number) => Promise<PaymentAccount | undefined>;
  readonly publishableKeyOf: (account: string) => Promise<string | null>;
  /** Reads what the app of the customer needs to pay. */
  readonly linkOf: (
    card: { readonly account: string; readonly topUpId: number; readonly expiresAt: string },
    remoteId: string,
  ) => Promise<{ readonly clientSecret: string | null; readonly url: string | null }>;
  readonly digestOf: (request: unknown) => string;
  /** Throws PAYMENTS_UNAVAILABLE while the circuit of the account is open. */
  readonly expectAvailable: (account: { readonly adapter: string; readonly account: string }) => void;
  readonly perform: (begun: Performed & { readonly stream: string }) => Promise<EffectProgress>;
}

export interface RefundToCard {
  readonly refundId: string;
  readonly topUpId: number;
  readonly key: WalletKey;
  readonly amount: string;
}

export type CardTopUps = ReturnType<typeof createCardTopUps>;

export function createCardTopUps(options: CardTopUpsOptions) {
  const { handle, wallets, read, book, accountOf, publishableKeyOf, linkOf, digestOf, expectAvailable, perform } =
    options;

  return {
    /** Throws PAYMENTS_UNAVAILABLE, or INVALID_INPUT for a page without an address to return to. */
    async accountFor(business: number, { checkout = 'embedded', return_url }: CardInput): Promise<PaymentAccount> {
      if (checkout === 'hosted' && return_url === undefined) throw invalidField('REQUIRED', 'return_url');
      if (checkout !== 'hosted' && return_url !== undefined)
        throw invalidForm('return_url', 'no value, unless `checkout` is `hosted`');
      const account = await accountOf(business);
      if (!account) throw new ApiError('PAYMENTS_UNAVAILABLE', { isByDesign: true });
      expectAvailable({ adapter: CARD_ADAPTER, account: account.account });
      return account;
    },

    /** Throws TOO_PRECISE for an amount with more digits than a card payment can have in the currency. */
    mustBePayable: ({ amount, currency }: Money): void => mustHaveCardDigits({ amount, currency }),

    /** The command that begins a top-up by card. The digest is that of the request that its event leads to. */
    withCard(begin: Begin, { account, provider }: PaymentAccount, { checkout = 'embedded', return_url }: CardInput) {
      const card = { account, provider, checkout, returnUrl: return_url };
      const { facts } = decider.decide(decider.initial(), { ...begin, card: { ...card, digest: '' } });
      const begun = facts.find(({ type }) => type.type === TopUpBegun.type)!.data as BegunTopUp;
      return { ...begin, card: { ...card, digest: digestOf(paymentRequestOf(begun)) } };
    },

    /** Prepares the payment at the provider. Returns the position of the last event; undefined: nothing was recorded. */
    async prepare(topUpId: number, performed: Performed): Promise<Position | undefined> {
      if (performed.cause.dryRun) return undefined;
      const stream = topUpStream(topUpId);
      await perform({ stream, ...performed });
      return (await read(stream)).past.at(-1)?.position;
    },

    /** What the app needs to pay. Only for the customer, and only while the top-up is pending. */
    async linkOf({ id, method, status, account, remote_id, expires_at }: TopUp, isOwn: boolean) {
      if (method !== 'card' || !isOwn || account === null)
        return { client_secret: null, checkout_url: null, publishable_key: null };
      const { clientSecret, url } =
        status === 'pending' && remote_id !== null
          ? await linkOf({ account, topUpId: id, expiresAt: expires_at }, remote_id)
          : { clientSecret: null, url: null };
      return { client_secret: clientSecret, checkout_url: url, publishable_key: await publishableKeyOf(account) };
    },

    /**
     * Returns a part of a card payment to the card. The wallet holds the amount before the provider is called. Throws
     * the errors of the top-up and of the wallet.
     */
    async refund({ refundId, topUpId, key, amount }: RefundToCard, context: Context) {
      const { caller, cause, time, wrote } = context;
      const business = businessOf(caller);
      const stream = topUpStream(topUpId);
      const { begun, card } = (await read(stream)).state;
      if (!begun?.card || begun.business !== business || begun.account_id !== key.accountId)
        throw fieldError('NOT_FOUND', 'top_up_id');
      mustHaveCardDigits({ amount, currency: key.currency });
      if (!card.refunds.has(refundId)) expectAvailable({ adapter: CARD_ADAPTER, account: begun.card.account });
      const by = userOf(caller).userId;
      const request = { do: 'request_refund', refundId, business, ...key, amount, by } as const;
      const hold = { do: 'hold', holdId: refundId, amount, business, ...key, at: time } as const;
      // A refund that the top-up or the wallet would refuse now leaves no trace.
      await handle(stream, request, dryRunOf(cause));
      throwRefusal((await wallets(walletStream(key), hold, dryRunOf(cause))).reply.refusal, key);
      const { position } = await handle(stream, request, cause);
      wrote(position);
      if (cause.dryRun) return 'pending' as const;
      wrote(await book(stream));
      const effect = await effectOf(stream, refundId);
      if (effect) await perform({ stream, effect, changed: false, cause });
      wrote(await book(stream));
      const after = await read(stream);
      wrote(after.past.at(-1)?.position);
      const { isMade, refusal } = after.state.card.refunds.get(refundId)!;
      // The wallet may have changed in between, and have refused the hold.
      throwRefusal((await wallets(walletStream(key), hold, dryRunOf(cause))).reply.refusal, key);
      return refusal !== undefined ? ('refused' as const) : isMade ? ('made' as const) : ('pending' as const);
    },
  };

  async function effectOf(stream: string, refundId: string): Promise<EffectProgress | undefined> {
    return [...(await read(stream)).state.effects.values()].filter(({ about }) => about === refundId).at(-1);
  }
}

function mustHaveCardDigits({ amount, currency }: Money): void {
  const digits = cardDigitsOf(currency);
  if (compare(amount, rounded(amount, currency)) !== 0 || fractionOf(amount).length > digits)
    throw fieldError('TOO_PRECISE', 'amount', { currency, digits });
}

/** The digits after the decimal point, without zeros at the end. */
const fractionOf = (amount: string): string => (amount.split('.')[1] ?? '').replace(/0+$/, '');

function throwRefusal(refusal: Refusal | undefined, { currency }: WalletKey): void {
  if (!refusal) return;
  const { code, ...amounts } = refusal;
  throw new DomainError(code, { ...amounts, currency });
}
