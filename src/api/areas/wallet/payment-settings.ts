/** The account of a business at its payment provider, for card payments of its customers. */
import { z } from 'zod';
import { randomBytes } from 'node:crypto';
import type { BusinessCommand } from '../../../commands/businesses/decider.js';
import { dryRunOf, type Handle } from '../../../commands/core/handle.js';
import type { Credentials } from '../../../engines/postgres/credentials.js';
import { businessStream, type PaymentSettings } from '../../../events/businesses/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import { withFormat } from '../../../events/core/format.js';
import { PROVIDERS, type PaymentProvider } from '../../../events/wallet/card-payments.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError, type FieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { settingsVersionSchema, versionByBusiness } from '../../core/versions.js';

const KEY = /^[\x21-\x7e]+$/;
const secret = z.string().min(16).max(255).regex(KEY, 'printable ASCII without spaces');

/** Customers get the publishable key, so a secret that is entered here by mistake is rejected. */
const publishable = withFormat(
  z
    .string()
    .max(255)
    .regex(KEY)
    .regex(/^(?!sk_|rk_|whsec_)/),
  'publishable key, not a secret',
);

const settingsSchema = z
  .object({
    provider: z.enum(PROVIDERS).nullable().describe('Null: card payments are not available.'),
    account: z
      .enum(['business', 'operator'])
      .nullable()
      .describe(
        '`business`: payments go to the account of the business. `operator`: payments go to the account of the operator of the service, because the business has set no keys.',
      ),
    is_set: z.boolean().describe('Whether the business has set keys.'),
    last4: z.string().nullable().describe('The last four characters of the secret key of the business.'),
    publishable_key: z.string().nullable(),
    webhook_url: z
      .string()
      .nullable()
      .describe(
        'Address for messages of the payment provider. Enter it at the provider. Null: the business has set no keys.',
      ),
    version: settingsVersionSchema,
  })
  .meta({ id: 'PaymentSettings' });

const COMMON = { area: 'Billing', callers: ['client_admin'], versioned: versionByBusiness(businessStream) } as const;

export interface PaymentSettingsOptions {
  readonly handle: Handle<BusinessCommand, undefined>;
  readonly businesses: Pick<AccountQueries, 'business'>;
  readonly credentials: Pick<Credentials, 'add' | 'remove' | 'shown' | 'secretOf'>;
  readonly operator: { readonly provider: PaymentProvider | undefined; readonly publishableKey: string | null };
  readonly webhookUrlOf: (token: string) => string;
  /** Whether the provider `test` is not allowed. */
  readonly isProduction: boolean;
  /** Makes the test provider of this process send messages about the account. */
  readonly addTestEndpoint: (secretKey: string, token: string, webhookSecret: string) => Promise<void>;
}

export function paymentSettings(options: PaymentSettingsOptions): Operation[] {
  const { handle, businesses, credentials, operator, webhookUrlOf, isProduction, addTestEndpoint } = options;

  return [
    operation({
      ...COMMON,
      name: 'paymentSettings',
      summary: 'Get the payment provider of the business',
      description:
        'The response never contains secrets. Changes of other settings of the business also increase `version`. Enter `webhook_url` at the payment provider, for events of payment intents, checkout sessions, refunds and disputes.',
      rest: { method: 'get', path: '/v1/payment-settings' },
      scopes: ['billing:read'],
      reads: ['businesses'],
      input: z.object({}),
      output: z.object({ result: z.boolean(), payment_settings: settingsSchema }),
      async run(_input, { caller }) {
        const business = businessOf(caller);
        const row = await businesses.business(business);
        const own = row?.payments;
        const { set, last4 } = await credentials.shown(own?.key_credential_id, business);
        const payment_settings: z.infer<typeof settingsSchema> = {
          provider: own?.provider ?? operator.provider ?? null,
          account: own ? 'business' : operator.provider ? 'operator' : null,
          is_set: set,
          last4,
          publishable_key: own ? own.publishable_key : operator.publishableKey,
          webhook_url: own ? webhookUrlOf(own.account_token) : null,
          version: row?.revision ?? -1,
        };
        return { result: true, payment_settings };
      },
    }),
    operation({
      ...COMMON,
      name: 'paymentSettingsUpdate',
      summary: 'Update the payment provider of the business',
      description:
        'Omitted fields keep their values. The first change requires `provider`, `secret_key` and `webhook_secret`. `provider: null` removes the keys. Both secrets are stored encrypted. After a change to another provider account, the service cannot read payments started with the old keys.',
      rest: { method: 'patch', path: '/v1/payment-settings' },
      scopes: ['billing:write'],
      risk: 'high',
      writes: true,
      awaits: ['businesses'],
      returns: { read: 'paymentSettings' },
      input: z.object({
        provider: z
          .enum(PROVIDERS)
          .nullable()
          .optional()
          .describe(
            '`stripe`: Stripe. `test`: a provider that moves no money; it is not allowed in production. Null: removes the keys.',
          ),
        secret_key: secret.optional().describe('Secret key of the account at the provider.'),
        webhook_secret: secret.optional().describe('Secret with which the provider signs messages.'),
        publishable_key: publishable
          .nullable()
          .optional()
          .describe('Publishable key for apps of customers. Never send a secret key here.'),
      }),
      output: z.object({ result: z.boolean() }),
      async run(given, { caller, cause, commandId, wrote }) {
        const business = businessOf(caller);
        const stream = businessStream(business);
        const before = (await businesses.business(business))?.payments ?? undefined;
        const settings = settingsAfter(given, before, commandId);
        const command = { do: 'payments', commandId, settings, by: userOf(caller).userId } as const;
        if (!cause.dryRun) {
          // A change that is rejected stores no secret.
          await handle(stream, command, dryRunOf(cause));
          // The secrets are stored before the event, so that settings always have them.
          if (settings) await storeSecrets(business, given, settings, before);
        }
        wrote((await handle(stream, command, cause)).position);
        if (!settings && before && !cause.dryRun)
          for (const id of [before.key_credential_id, before.webhook_credential_id])
            await credentials.remove(id, business);
        return { result: true };
      },
    }),
  ];

  /** Throws INVALID_INPUT. Null: the keys are removed. */
  function settingsAfter(given: Given, before: PaymentSettings | undefined, commandId: string): PaymentSettings | null {
    if (given.provider === null) return null;
    const provider = given.provider ?? before?.provider;
    const errors: FieldError[] = [];
    const fault = (field: string, code: string) => errors.push({ field, path: `/${field}`, code });
    if (provider === undefined) fault('provider', 'REQUIRED');
    if (provider === 'test' && isProduction) fault('provider', 'TEST_PROVIDER_REFUSED');
    if (!before && given.secret_key === undefined) fault('secret_key', 'REQUIRED');
    if (!before && given.webhook_secret === undefined) fault('webhook_secret', 'REQUIRED');
    if (errors.length > 0) throw new ApiError('INVALID_INPUT', { errors });
    const idOf = (name: string, value: string | undefined, known: string | undefined): string =>
      value === undefined ? known! : derivedId('payment credential', name, commandId);
    return {
      provider: provider!,
      key_credential_id: idOf('key', given.secret_key, before?.key_credential_id),
      webhook_credential_id: idOf('webhook', given.webhook_secret, before?.webhook_credential_id),
      account_token: before?.account_token ?? randomBytes(16).toString('hex'),
      publishable_key: given.publishable_key === undefined ? (before?.publishable_key ?? null) : given.publishable_key,
    };
  }

  async function storeSecrets(
    business: number,
    { secret_key, webhook_secret }: Given,
    { provider, key_credential_id, webhook_credential_id, account_token }: PaymentSettings,
    before: PaymentSettings | undefined,
  ): Promise<void> {
    const store = (id: string, kind: string, value: string | undefined, replaces: string | undefined) =>
      value === undefined ? undefined : credentials.add({ id, business, kind, secret: value, replaces });
    await store(key_credential_id, 'payment_key', secret_key, before?.key_credential_id);
    await store(webhook_credential_id, 'payment_webhook', webhook_secret, before?.webhook_credential_id);
    if (provider !== 'test') return;
    const [key, signing] = await Promise.all(
      [key_credential_id, webhook_credential_id].map((id) => credentials.secretOf(id, business)),
    );
    if (key !== undefined && signing !== undefined) await addTestEndpoint(key, account_token, signing);
  }
}

interface Given {
  readonly provider?: PaymentProvider | null | undefined;
  readonly secret_key?: string | undefined;
  readonly webhook_secret?: string | undefined;
  readonly publishable_key?: string | null | undefined;
}
