/** A service with the test provider as its payment provider, and the customer's app, which uses the official library. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { startTestProvider, type TestProviderOptions } from '../../../src/engines/payments/test-provider/server.js';
import { topUpStream } from '../../../src/events/wallet/top-ups.js';
import { eventually } from '../eventually.js';
import { PROFILE } from '../inputs/top-ups.js';
import { BRIEF_LEASES } from '../processes/service-process.js';
import { startTestService, type TestService, type TestServiceOptions } from '../worlds/service.js';
import { asUsers, type AsUsers } from '../worlds/users.js';

export const KEY = 'sk_test_operator';
export const WEBHOOK_SECRET = 'whsec_of_the_operator';
export const TOP_UPS = '/customer/wallet/top-ups';
export const CARD_TOP_UP = { amount: '50.00', method: 'card' };

/** Environment of a service whose provider has this address. */
export const paymentsEnv = (url: string) => ({
  PAYMENTS_PROVIDER: 'stripe',
  PAYMENTS_BASE_URL: url,
  PAYMENTS_KEY: KEY,
  PAYMENTS_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PAYMENTS_PUBLISHABLE_KEY: 'pk_test_operator',
});

/** The official library, for the provider at this address. */
export function libraryFor(url: string, key = KEY): Stripe {
  const { hostname: host, port, protocol } = new URL(url);
  return new Stripe(key, {
    host,
    port,
    protocol: protocol === 'http:' ? 'http' : 'https',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** The payment intent of a client secret. */
export const intentOf = (clientSecret: string): string => clientSecret.split('_secret_')[0]!;

/** A top-up in a response. */
export interface ShownTopUp {
  readonly id: number;
  readonly status: string;
  readonly client_secret: string;
  readonly checkout_url: string;
  readonly received_amount: string | null;
  readonly failure_code: string | null;
  readonly disputed_amount: string | null;
  readonly refunds: readonly { readonly id: string; readonly status: string; readonly code: string | null }[];
}

export type PaymentWorld = Awaited<ReturnType<typeof openPayments>>;

export async function openPayments({
  provider: providerOptions = {},
  service: serviceOptions = {},
  sendsMessages = true,
}: {
  readonly provider?: Partial<TestProviderOptions>;
  readonly service?: TestServiceOptions;
  /** False: all messages of the provider are lost. */
  readonly sendsMessages?: boolean;
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'transport-payments-'));
  const provider = await startTestProvider({ file: join(folder, 'state'), laterMs: 300, ...providerOptions });
  const test: TestService = await startTestService({
    ...serviceOptions,
    env: { ...BRIEF_LEASES, ...paymentsEnv(provider.url), ...serviceOptions.env },
  });
  const webhookUrl = `${test.url}/api/v1/inbound/stripe/operator`;
  if (sendsMessages) provider.addEndpoint(KEY, webhookUrl, WEBHOOK_SECRET);
  const as: AsUsers = asUsers(test);
  await as('client_admin', '/billing-profile', PROFILE, 'PUT');
  const app = libraryFor(provider.url);
  const customer = test.demo.users.customer.id;

  const begin = (body: object = {}) => as('customer', TOP_UPS, { ...CARD_TOP_UP, ...body });
  const read = async (id: number, user: 'customer' | 'client_admin' = 'customer') =>
    (await as(user, `${TOP_UPS}/${id}`)).json.top_up as ShownTopUp;

  return {
    test,
    provider,
    as,
    app,
    customer,
    webhookUrl,
    begin,
    read,
    /** Begins a top-up. */
    async begun(body: object = {}): Promise<ShownTopUp> {
      const { status, json, text } = await begin(body);
      if (status !== 201) throw new Error(text);
      return json.top_up as ShownTopUp;
    },
    /** Pays a top-up with a card of the provider. */
    pay: ({ client_secret }: Pick<ShownTopUp, 'client_secret'>, card = 'pm_card_visa') =>
      app.paymentIntents.confirm(intentOf(client_secret), {
        payment_method: card,
        return_url: 'https://shop.example/',
      }),
    /** Waits for the status of a top-up. */
    until: (id: number, status: string) =>
      eventually(async () => (await read(id)).status === status, `top-up ${id} is ${status}`),
    credits: async () =>
      (await as('customer', '/customer/credits')).json as { balance: string; available: string; held: string },
    entries: async () =>
      (await as('customer', `/customers/${customer}/wallet/entries?per_page=200`)).json.entries as {
        kind: string;
        amount: string;
        top_up_id: number | null;
      }[],
    events: async (id: number): Promise<string[]> =>
      ((await test.service.engines.log.readMany([topUpStream(id)])).get(topUpStream(id)) ?? []).map(({ type }) => type),
    withdraw: (top_up_id: number, amount: string) =>
      as('client_admin', `/customers/${customer}/wallet/withdrawals`, {
        amount,
        to: 'card',
        top_up_id,
        currency: 'EUR',
      }),
    async stop(): Promise<void> {
      await test.stop();
      await provider.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
