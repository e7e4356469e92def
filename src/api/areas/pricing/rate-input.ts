/** What a caller sends to get a price: stops, packages and wishes, without the names that a price does not need. */
import { z } from 'zod';
import { ORDER_TYPES } from '../../../events/orders/events.js';
import { dateSchema } from '../../core/dates.js';
import { idSchema } from '../../core/ids.js';
import { sizesInput } from '../orders/sizes.js';
import { stopInput, timeWindowsInput } from '../orders/input.js';
import { amountInput, currencyInput } from './shapes.js';

const { country, postal_code, ...rest } = stopInput.shape;

/** Only country and postal code are required. The other members are those of an order and need not be known yet. */
export const rateStopInput = z
  .strictObject({ ...z.strictObject(rest).partial().shape, postal_code: postal_code.unwrap(), country })
  .meta({ id: 'RateAddressInput' });
export type RateStop = z.infer<typeof rateStopInput>;

const code = z.string().trim().min(1).max(40);

export const ratePackageInput = z
  .strictObject({ ...sizesInput.shape, declared_value: amountInput.optional() })
  .meta({ id: 'RatePackageInput' });

/** The shipment that is priced. */
export const rateInput = {
  type: z.enum(ORDER_TYPES).default('D').describe('Same meaning as in `orderCreate`.'),
  warehouse_id: idSchema
    .optional()
    .describe('Warehouse that replaces the pickup (`D`) or the delivery (`P`). Default: the default warehouse.'),
  pickup: rateStopInput.optional(),
  delivery: rateStopInput.optional(),
  packages: z.array(ratePackageInput).min(1).max(100).default([{}]),
  schedule_date: dateSchema.optional(),
  time_windows: timeWindowsInput.default([]),
  service_codes: z
    .array(code)
    .min(1)
    .max(50)
    .optional()
    .describe('Return only these services. Default: all services of the card.'),
  options: z.array(code).max(20).default([]).describe('Codes of options that the card prices.'),
  cod_amount: amountInput.optional().describe('Amount of cash on delivery, in the currency of the card.'),
  is_residential: z.boolean().optional().describe('True: the delivery address is a home.'),
  currency: currencyInput
    .optional()
    .describe('Return only prices in this currency. Default: prices in every currency.'),
};
export type RateInput = z.infer<z.ZodObject<typeof rateInput>>;
