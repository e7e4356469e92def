/** Settings and credentials of an account at EasyPost. */
import { z } from 'zod';
import { currencySchema } from '../../../../events/core/money.js';
import type { CarrierCall } from '../port.js';

export const settingsSchema = z.strictObject({
  carrier_accounts: z
    .array(z.string().regex(/^ca_\w{1,64}$/))
    .min(1)
    .max(50)
    .optional()
    .describe('Carrier accounts at EasyPost that may be used, such as `ca_5ba7...`. Default: all.'),
  carriers: z
    .array(z.string().regex(/^[a-z0-9]{1,50}$/))
    .min(1)
    .max(50)
    .optional()
    .describe('Carriers whose methods are offered, such as `usps`. Default: the carriers of the carrier accounts.'),
  currency: currencySchema.default('USD').describe('Currency of rates, insurance and cash on delivery.'),
  insurance_percent: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,4})?$/)
    .default('1')
    .describe('Fee of EasyPost for insurance, in percent of the insured amount. The fee is at least 1.00.'),
  cod_method: z
    .enum(['CASH', 'CHECK', 'MONEY_ORDER'])
    .default('CASH')
    .describe('How the recipient pays cash on delivery.'),
  customs_signer: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Name of the person who certifies customs declarations. Default: the name of the sender.'),
});
export type EasypostSettings = z.infer<typeof settingsSchema>;

export const credentialsSchema = z.strictObject({
  api_key: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]{8,200}$/, 'must be 8 to 200 visible ASCII characters without a colon')
    .describe('Test key or production key of EasyPost.'),
  webhook_secret: z
    .string()
    .min(8)
    .max(200)
    .optional()
    .describe('Secret that signs the webhooks of EasyPost. Without it, no webhook is accepted.'),
});
export type EasypostCredentials = z.infer<typeof credentialsSchema>;

/** The account of a call. The area has checked its members with the schemas. */
export type EasypostCall = CarrierCall<EasypostSettings, EasypostCredentials>;

export function toEasypostCall(call: CarrierCall): EasypostCall {
  return {
    ...call,
    settings: settingsSchema.parse(call.settings),
    credentials: credentialsSchema.parse(call.credentials),
  };
}
