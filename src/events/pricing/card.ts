/**
 * The rate card document. It contains data only. The schema checks the form of each part;
 * src/commands/pricing/check-card.ts checks that the parts fit together.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../tree/canonical.js';
import {
  deviceSchema,
  distanceSchema,
  packagesSchema,
  storageSchema,
  tableEntrySchema,
  weightSchema,
} from './bases.js';
import { conditionSchema, NUMERIC_FIELDS } from './conditions.js';
import {
  clockSchema,
  codeSchema,
  dateSchema,
  MAX_CM,
  MAX_KG,
  measureSchema,
  namesSchema,
  percentSchema,
  priceSchema,
  weekdaySchema,
} from './values.js';
import { laneSchema, zoneSchema } from './zones.js';

/** Maximum size of the canonical JSON in UTF-8: EventStoreDB appends at most 1 MiB including metadata. */
export const MAX_CARD_BYTES = 1_000_000;
/** Maximum numbers of the parts that check-card.ts counts. */
export const CARD_LIMITS = { zoneMatches: 2_000, tableCells: 20_000, surcharges: 200 } as const;
/** Validity of a quote if the card has no `quote_valid_minutes`. */
export const DEFAULT_QUOTE_VALID_MINUTES = 1_440;

const days = z.int().min(0).max(3_650);

export const serviceSchema = z.strictObject({
  code: codeSchema,
  names: namesSchema.optional(),
  /** Calendar days from the ship date to the delivery. */
  days_min: days.optional(),
  days_max: days.optional(),
  /** Local time. A later request cannot be shipped on the same day. */
  cutoff: clockSchema.optional(),
  /** Days on which the service ships. Default: all. */
  weekdays: z.array(weekdaySchema).min(1).max(7).optional(),
  /** Actual weight of a package. */
  max_weight_kg: measureSchema(MAX_KG).optional(),
  /** Longest side of a package. */
  max_side_cm: measureSchema(MAX_CM).optional(),
  max_packages: z.int().min(1).max(100).optional(),
  /** Options that the service offers. Default: none. */
  options: z.array(codeSchema).max(100).optional(),
});
export type Service = z.infer<typeof serviceSchema>;

export const surchargeAmountSchema = z.union([
  z.strictObject({ flat: priceSchema }),
  z.strictObject({ percent_of: z.literal('base'), percent: percentSchema }),
  z.strictObject({ per_kg: priceSchema }),
  z.strictObject({ per_package: priceSchema }),
  z.strictObject({ per_unit: priceSchema, field: z.enum(NUMERIC_FIELDS) }),
]);
export type SurchargeAmount = z.infer<typeof surchargeAmountSchema>;

const conditions = z.array(conditionSchema).max(20);

export const surchargeSchema = z.strictObject({
  code: codeSchema,
  names: namesSchema.optional(),
  when: conditions.optional(),
  amount: surchargeAmountSchema,
  /** Maximum of the amount. */
  max: priceSchema.optional(),
  /** Whether the fuel percentage also applies to this surcharge. */
  fuelable: z.boolean(),
  taxable: z.boolean(),
});
export type Surcharge = z.infer<typeof surchargeSchema>;

/** Price of packaging, supplies and services by piece. The code is that of the catalogue. */
export const itemSchema = z.union([
  z.strictObject({ code: codeSchema, amount: priceSchema }),
  z.strictObject({ code: codeSchema, from_catalogue: z.literal(true) }),
]);

/** Both dates are included. Without `date_to` the period has no end. */
export const fuelPeriodSchema = z.strictObject({
  date_from: dateSchema,
  date_to: dateSchema.optional(),
  percent: percentSchema,
});

export const taxSchema = z.strictObject({
  code: codeSchema,
  names: namesSchema.optional(),
  percent: percentSchema,
  when: conditions.optional(),
  /** Whether prices include the tax. */
  inclusive: z.boolean(),
});
export type Tax = z.infer<typeof taxSchema>;

export const cardSchema = z.strictObject({
  services: z.array(serviceSchema).min(1).max(50),
  zones: z.array(zoneSchema).optional(),
  lanes: z.array(laneSchema).max(5_000).optional(),
  weight: weightSchema.optional(),
  table: z.array(tableEntrySchema).optional(),
  distance: distanceSchema.optional(),
  packages: packagesSchema.optional(),
  storage: storageSchema.optional(),
  device: z.array(deviceSchema).min(1).max(50).optional(),
  items: z.array(itemSchema).max(2_000).optional(),
  surcharges: z.array(surchargeSchema).optional(),
  fuel: z.array(fuelPeriodSchema).max(500).optional(),
  /** Minimum of the price before markup and taxes. */
  minimum: priceSchema.optional(),
  /** Fee for a late cancellation of a local order by its customer. Default: none. */
  cancellation_fee: z
    .union([z.strictObject({ flat: priceSchema }), z.strictObject({ percent_of_total: percentSchema })])
    .optional(),
  taxes: z.array(taxSchema).max(20).optional(),
  quote_valid_minutes: z.int().min(1).max(10_080).optional(),
});
export type Card = z.infer<typeof cardSchema>;

/** SHA-256 of the card's canonical JSON, in hexadecimal. */
export const cardDigest = (card: Card): string => hash('sha256', canonical(card));
