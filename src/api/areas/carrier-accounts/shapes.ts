/** Carrier accounts in requests and responses. */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import { carrierAccountStream, REFUND_MOMENTS, type AccountMethod } from '../../../events/carrier-accounts/events.js';
import { NUMBER_SCHEMES, type UsedRange } from '../../../events/carrier-accounts/numbers.js';
import type { CarrierAdapter } from '../../../engines/outside/carriers/port.js';
import type { ShownCredential } from '../../../engines/postgres/credentials.js';
import type { CarrierAccount } from '../../../projections/carrier-accounts/queries.js';
import { idSchema } from '../../core/ids.js';
import { versionBy, versionSchema } from '../../core/versions.js';

export const carrier_account_id = idSchema;
export const CARRIER_ACCOUNT_VERSION = versionBy('carrier_account_id', carrierAccountStream);
export const ACCOUNT_NOT_FOUND = { 404: 'There is no such carrier account.' };

export const nameInput = z.string().trim().min(1).max(100).describe('Name for the staff of the business.');
export const toleranceInput = withFormat(
  z.string().regex(/^(100|\d{1,2}(\.\d{1,4})?)$/),
  'decimal number from 0 to 100, such as 2.5',
).describe(
  'Maximum percentage by which the price of the carrier may exceed the rate at purchase. Null: 0, and 5 if a customer has a fixed price.',
);
export const refundInput = z
  .enum(REFUND_MOMENTS)
  .describe(
    'When a customer is refunded for a void label. `refunded`: the carrier confirmed it. `submitted`: the carrier accepted the request.',
  );

/** Share of a range from which the account shows that it is nearly used up. */
const LOW = 0.9;

const numbersOutput = z
  .object({
    scheme: z.enum(NUMBER_SCHEMES),
    prefix: z.string().describe('Extension digit and company prefix.'),
    serial_from: z.int(),
    serial_to: z.int(),
    drawn_count: z.int(),
    remaining_count: z.int(),
    is_low: z.boolean().describe('True: at least 90 % of the range is used.'),
  })
  .meta({ id: 'CarrierNumbers' });

export const methodOutput = z
  .object({
    id: z.int().describe('Permanent id of the method.'),
    code: z.string().describe('Code of the adapter.'),
    name: z.string(),
    carrier: z.string().describe('Carrier that transports the parcel.'),
    formats: z.array(z.string()).describe('Formats of labels.'),
    countries: z.array(z.string()).nullable().describe('Destinations. Null: not known, or all.'),
    enabled: z.boolean(),
    is_withdrawn: z.boolean().describe('True: the carrier does not offer the method any more.'),
    markup_card: z.int().nullable().describe('Rate card that turns the cost into the price of a customer.'),
  })
  .meta({ id: 'CarrierMethod' });

const addressOutput = z
  .object({
    name: z.string().optional(),
    company: z.string().optional(),
    phone: z.string().optional(),
    email: z.string().optional(),
    street: z.string().optional(),
    street_2: z.string().optional(),
    city: z.string().optional(),
    region: z.string().optional(),
    postal_code: z.string().optional(),
    country: z.string().optional(),
    position: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
  })
  .meta({ id: 'CarrierReturnAddress' });

export const accountOutput = z
  .object({
    id: z.int(),
    adapter: z.string().describe('Carrier or aggregator. More may be added.'),
    name: z.string(),
    status: z.enum(['active', 'disabled']),
    credentials: z
      .object({
        is_set: z.boolean(),
        last4: z.string().nullable().describe('The last four characters of the first secret.'),
      })
      .meta({ id: 'CarrierCredentials' }),
    settings: z.record(z.string(), z.unknown()).describe('Members of the adapter.'),
    price_tolerance_percent: z.string().nullable(),
    refund_on: z.enum(REFUND_MOMENTS),
    return_address: addressOutput.nullable().describe('Sender of shipments that name none.'),
    webhook_url: z
      .string()
      .nullable()
      .describe('Address to enter at the carrier, for its messages. Null: the service receives none.'),
    numbers: numbersOutput.nullable().describe('Range of numbers that the service draws. Null: the carrier does.'),
    methods: z.array(methodOutput).max(500).optional().describe('Only in `carrierAccount`.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    version: versionSchema,
  })
  .meta({ id: 'CarrierAccount' });

export const toMethod = ({ method_id, countries, withdrawn, markup_card, ...method }: AccountMethod) => ({
  id: method_id,
  code: method.code,
  name: method.name,
  carrier: method.carrier,
  formats: method.formats,
  countries: countries ?? null,
  enabled: method.enabled,
  is_withdrawn: withdrawn === true,
  markup_card: markup_card ?? null,
});

export interface ShownAccount {
  readonly account: CarrierAccount;
  readonly credential: ShownCredential;
  readonly ranges: readonly UsedRange[];
  /** Undefined: this version of the service does not have the adapter. */
  readonly adapter: CarrierAdapter | undefined;
  /** Absent: no messages of carriers are received. */
  readonly webhookUrlOf?: ((adapter: string, token: string) => string) | undefined;
}

/** Without methods. */
export function toAccount(shown: ShownAccount): z.infer<typeof accountOutput> {
  const { account, credential, ranges, adapter, webhookUrlOf } = shown;
  return {
    id: account.id,
    adapter: account.adapter,
    name: account.name,
    status: account.disabled ? 'disabled' : 'active',
    credentials: { is_set: credential.set, last4: credential.last4 },
    settings: account.settings,
    price_tolerance_percent: account.price_tolerance_percent,
    refund_on: account.refund_on,
    return_address: account.return_address ?? null,
    webhook_url: (adapter?.inbound && webhookUrlOf?.(account.adapter, account.account_token)) ?? null,
    numbers: toNumbers(ranges.at(-1)),
    created_at: account.created_at,
    updated_at: account.updated_at,
    version: account.revision,
  };
}

function toNumbers(range: UsedRange | undefined) {
  if (!range) return null;
  const { prefix, from, to, next } = range;
  const total = to - from + 1;
  const drawn_count = Math.min(next - from, total);
  return {
    scheme: 'sscc' as const,
    prefix,
    serial_from: from,
    serial_to: to,
    drawn_count,
    remaining_count: total - drawn_count,
    is_low: drawn_count >= total * LOW,
  };
}
