/** The shipment that carriers rate and transport, as callers send it. `shipments.ts` checks and converts it. */
import { z } from 'zod';
import { withFormat } from '../../../events/core/format.js';
import { priceSchema } from '../../../events/pricing/values.js';
import { dateSchema } from '../../core/dates.js';
import { idSchema } from '../../core/ids.js';
import { addressId, countryInput, orderRef, stopInput } from '../orders/input.js';
import { currencyInput } from '../pricing/shapes.js';

/** Maximum number of packages of a shipment. */
export const MAX_PACKAGES = 20;
/** Number of days from today to the last day on which a parcel can be handed over. */
export const MAX_SHIP_DAYS = 30;

const text = (max: number) => z.string().trim().min(1).max(max);
const money = (description: string) => priceSchema.describe(description);

const { position: _position, country: _country, ...contact } = stopInput.shape;
/** A rate needs only the country, and most carriers the postal code. A label also needs name, street and city. */
export const shipmentStopInput = z
  .strictObject({
    address_id: addressId.optional(),
    ...z.strictObject(contact).partial().shape,
    country: countryInput.optional().describe('ISO 3166-1 alpha-2, such as DE. Required without `address_id`.'),
  })
  .check(({ value, issues }) => {
    if (value.address_id === undefined && value.country === undefined)
      issues.push({ code: 'invalid_type', expected: 'string', path: ['country'], input: undefined });
  })
  .meta({ id: 'ShipmentStopInput' });
export type ShipmentStopInput = z.infer<typeof shipmentStopInput>;

const weight = z.number().min(0.001).max(1_000);
const side = z.number().positive().max(500).optional().describe('Centimetres. All three sides or none.');

export const shipmentPackageInput = z
  .strictObject({
    weight_kg: weight.describe('Kilograms, with the packaging.'),
    length_cm: side,
    width_cm: side,
    height_cm: side,
    declared_value: money('Value of the contents, in `currency`.').optional(),
    currency: currencyInput.optional().describe('ISO 4217 code. Required with `declared_value`.'),
    description: text(200).optional(),
  })
  .meta({ id: 'ShipmentPackageInput' });

export const customsItemInput = z
  .strictObject({
    description: text(200),
    piece_count: z.int().min(1).max(100_000),
    unit_value: money('Value of one piece.'),
    unit_weight_kg: weight.describe('Kilograms of one piece.'),
    hs_code: withFormat(z.string().regex(/^\d{6,12}$/), '6 to 12 digits')
      .optional()
      .describe('Code of the Harmonized System, without full stops.'),
    origin_country: countryInput,
  })
  .meta({ id: 'CustomsItemInput' });

export const customsInput = z
  .strictObject({
    contents_type: z.enum(['merchandise', 'documents', 'gift', 'sample', 'returned_goods', 'other']),
    incoterm: z
      .enum(['DAP', 'DDP', 'DDU'])
      .default('DAP')
      .describe('`DAP`, `DDU`: the recipient pays duties. `DDP`: the sender pays them.'),
    currency: currencyInput.describe('ISO 4217 code of all values.'),
    items: z.array(customsItemInput).min(1).max(100),
  })
  .meta({ id: 'CustomsInput' });

/** The members of a shipment. */
export const shipmentInput = {
  ship_from: shipmentStopInput
    .optional()
    .describe('Sender. Default: the warehouse, otherwise the return address of a carrier account.'),
  warehouse_id: idSchema
    .optional()
    .describe('Warehouse that sends the parcels, instead of `ship_from`. Default: the default warehouse.'),
  ship_to: shipmentStopInput.describe('Recipient.'),
  return_to: shipmentStopInput.optional().describe('Where undeliverable parcels go. Default: the sender.'),
  packages: z.array(shipmentPackageInput).min(1).max(MAX_PACKAGES),
  ship_date: dateSchema
    .optional()
    .describe(`Day on which the carrier gets the parcels, at most ${MAX_SHIP_DAYS} days from now. Default: today.`),
  order_ref: orderRef.optional(),
  signature: z
    .enum(['none', 'any', 'adult'])
    .optional()
    .describe('Signature on delivery. `any`: of any person. `adult`: of an adult. Default: the rule of the carrier.'),
  insurance_amount: money('Insured value, in the currency of the carrier account.').optional(),
  cod_amount: money('Cash on delivery, in the currency of the carrier account.').optional(),
  is_residential: z.boolean().optional().describe('True: the delivery address is a home.'),
  saturday_delivery: z.boolean().optional().describe('True: deliver on Saturday.'),
  customs: customsInput
    .optional()
    .describe('Customs declaration. Required if the parcels leave the customs territory of the sender.'),
};
export type ShipmentInput = z.infer<z.ZodObject<typeof shipmentInput>>;
