/**
 * The inputs of a price. Events store them, so that a price can be calculated again years later. They contain no name,
 * street or phone. Dates and times are local times of the business.
 */
import { z } from 'zod';
import { personal } from '../core/event-types.js';
import {
  clockSchema,
  codeSchema,
  countrySchema,
  dateSchema,
  markupPercentSchema,
  MAX_CM,
  MAX_KG,
  MAX_KM,
  MAX_MINUTES,
  measureSchema,
  positionSchema,
  postalCodeSchema,
  priceSchema,
  regionSchema,
  tagSchema,
} from './values.js';

export const placeSchema = z.strictObject({
  country: countrySchema,
  postal_code: postalCodeSchema.optional(),
  region: regionSchema.optional(),
  /** Personal, as the position of a stop. The area is not, because prices are calculated from it. */
  position: personal(positionSchema),
});
export type Place = z.infer<typeof placeSchema>;

export const pricedPackageSchema = z.strictObject({
  weight_kg: measureSchema(MAX_KG).optional(),
  length_cm: measureSchema(MAX_CM).optional(),
  width_cm: measureSchema(MAX_CM).optional(),
  height_cm: measureSchema(MAX_CM).optional(),
  declared_value: priceSchema.optional(),
});
export type PricedPackage = z.infer<typeof pricedPackageSchema>;

export const pricedStorageSchema = z.strictObject({
  received_on: dateSchema,
  /** Last day, included. */
  until_on: dateSchema,
  /** Storage class of the card. Default: the first class that all packages fit in. */
  class_code: codeSchema.optional(),
  /** Default: the volume of the packages. */
  litres: measureSchema(1_000_000_000).optional(),
  /** Default: the number of packages. */
  pallets: measureSchema(1_000_000).optional(),
});

export const pricedItemSchema = z.strictObject({
  code: codeSchema,
  quantity: z.int().min(1).max(100_000),
  /** Price of the catalogue, for items whose price the card takes from there. */
  amount: priceSchema.optional(),
});

export const priceInputsSchema = z.strictObject({
  from: placeSchema,
  to: placeSchema,
  packages: z.array(pricedPackageSchema).max(100),
  requested: z.strictObject({ date: dateSchema, time: clockSchema }),
  /** Default: the first day on which the service ships. */
  schedule_date: dateSchema.optional(),
  /** An end that is not after the start is on the next day. */
  window: z.strictObject({ start: clockSchema, end: clockSchema }).optional(),
  /** Services to price. Default: all services of the card. */
  service_codes: z.array(codeSchema).max(50).optional(),
  options: z.array(codeSchema).max(100).optional(),
  cod_amount: priceSchema.optional(),
  is_residential: z.boolean().optional(),
  customer_tags: z.array(tagSchema).max(100).optional(),
  /** Road distance. */
  distance_km: measureSchema(MAX_KM).optional(),
  storage: pricedStorageSchema.optional(),
  device: z.strictObject({ cell_size: codeSchema, minutes: measureSchema(MAX_MINUTES) }).optional(),
  items: z.array(pricedItemSchema).max(200).optional(),
  /** Price of the carrier: the base of the family label_service. */
  cost: priceSchema.optional(),
  /** Markup of the customer; negative: a discount. */
  markup_percent: markupPercentSchema.optional(),
});
export type PriceInputs = z.infer<typeof priceInputsSchema>;
