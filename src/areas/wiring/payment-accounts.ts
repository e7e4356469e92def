/**
 * The accounts at the payment provider: the accounts of businesses that have set keys, and the account of the operator.
 */
import type { PaymentsConfig } from '../../config.js';
import type { Credentials } from '../../engines/postgres/credentials.js';
import type { StripeAccount } from '../../engines/payments/stripe-client.js';
import type { PaymentProvider } from '../../events/wallet/card-payments.js';
import type { InboundAccount } from '../../effects/inbound.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';

/** Name of the operator's account, and its token in the address of messages. */
export const OPERATOR = 'operator';
/** The inbox entry of a message to the operator's account belongs to no business. */
const NO_BUSINESS = 0;
const OWN = /^business-(\d+)$/;
const STRIPE_URL = 'https://api.stripe.com';

/** The account that a business uses for new payments. */
export interface UsedAccount {
  readonly account: string;
  readonly provider: PaymentProvider;
  /** For the app of the customer. */
  readonly publishableKey: string | null;
}

export interface AccountKeys extends StripeAccount {
  readonly webhookSecret: string;
}

/** The test provider of this process, if it is used. */
export interface TestAccounts {
  readonly baseUrl: () => Promise<string>;
  /** The keys of the operator, which the service chooses. */
  readonly operatorKeys: () => Promise<{ readonly secretKey: string; readonly webhookSecret: string }>;
}

export interface PaymentAccountsOptions {
  readonly config: PaymentsConfig;
  readonly businesses: Pick<AccountQueries, 'business' | 'businessByPaymentToken'>;
  readonly credentials: Pick<Credentials, 'secretOf'>;
  readonly testAccounts: TestAccounts;
}

export type PaymentAccounts = ReturnType<typeof createPaymentAccounts>;

export function createPaymentAccounts({ config, businesses, credentials, testAccounts }: PaymentAccountsOptions) {
  const { operator } = config;

  async function baseUrlOf(provider: PaymentProvider): Promise<string> {
    if (provider === 'test' && (operator?.provider !== 'test' || config.baseUrl === undefined))
      return testAccounts.baseUrl();
    return config.baseUrl ?? STRIPE_URL;
  }

  async function operatorKeys(): Promise<AccountKeys | undefined> {
    if (!operator) return undefined;
    const keys = operator.keys ?? (await testAccounts.operatorKeys());
    return { ...keys, baseUrl: await baseUrlOf(operator.provider) };
  }

  /** The keys of an account; undefined: the service does not have them any more. */
  async function keysOf(account: string): Promise<AccountKeys | undefined> {
    if (account === OPERATOR) return operatorKeys();
    const business = Number(OWN.exec(account)?.[1]);
    const settings = business > 0 ? (await businesses.business(business))?.payments : undefined;
    if (!settings) return undefined;
    const [secretKey, webhookSecret] = await Promise.all([
      credentials.secretOf(settings.key_credential_id, business),
      credentials.secretOf(settings.webhook_credential_id, business),
    ]);
    if (secretKey === undefined || webhookSecret === undefined) return undefined;
    return { baseUrl: await baseUrlOf(settings.provider), secretKey, webhookSecret };
  }

  return {
    keysOf,

    /** The account for new payments of a business; undefined: card payments are not available. */
    async accountOf(business: number): Promise<UsedAccount | undefined> {
      const settings = (await businesses.business(business))?.payments;
      if (settings)
        return {
          account: `business-${business}`,
          provider: settings.provider,
          publishableKey: settings.publishable_key,
        };
      if (!operator) return undefined;
      return { account: OPERATOR, provider: operator.provider, publishableKey: operator.publishableKey ?? null };
    },

    /** The publishable key of an account that a payment uses. */
    async publishableKeyOf(account: string): Promise<string | null> {
      if (account === OPERATOR) return operator?.publishableKey ?? null;
      const business = Number(OWN.exec(account)?.[1]);
      return (await businesses.business(business))?.payments?.publishable_key ?? null;
    },

    /** The account of a token in the address of a message. */
    async ofToken(token: string): Promise<InboundAccount | undefined> {
      if (token === OPERATOR) return operator && { account: OPERATOR, business: NO_BUSINESS };
      const business = await businesses.businessByPaymentToken(token);
      return business && { account: `business-${business.id}`, business: business.id };
    },
  };
}
