/** The parts of a rate card that determine the base price: one of table, distance, storage and device. */
import { z } from 'zod';
import {
  codeSchema,
  MAX_CM,
  MAX_KG,
  MAX_KM,
  MAX_MINUTES,
  measureSchema,
  percentSchema,
  priceSchema,
} from './values.js';
import { ONLY_LANE } from './zones.js';

const rounding = {
  /** How sides are rounded to whole centimetres before they are multiplied. */
  side_rounding: z.enum(['none', 'up', 'nearest']).optional(),
  /** The billable weight is a multiple of it. Default: 0.001. */
  step_kg: measureSchema(MAX_KG)
    .refine((value) => value > 0)
    .optional(),
  /** Minimum billable weight of a package. */
  min_kg: measureSchema(MAX_KG).optional(),
};
/** Cubic centimetres per kilogram. */
const divisor = z.int().min(100).max(1_000_000);

/** The billable weight of a package. A card without this part uses the actual weight. */
export const weightSchema = z.discriminatedUnion('basis', [
  z.strictObject({ basis: z.literal('actual'), ...rounding }),
  z.strictObject({ basis: z.literal('volumetric'), divisor, ...rounding }),
  z.strictObject({ basis: z.literal('greater'), divisor, ...rounding }),
]);
export type WeightRule = z.infer<typeof weightSchema>;

/** A weight of exactly `up_to_kg` belongs to its break. */
export const weightBreakSchema = z.union([
  z.strictObject({ up_to_kg: measureSchema(MAX_KG), amount: priceSchema }),
  /** Last break: base + per_kg × (billable weight − above_kg). */
  z.strictObject({ above_kg: measureSchema(MAX_KG), base: priceSchema, per_kg: priceSchema }),
]);
export type WeightBreak = z.infer<typeof weightBreakSchema>;

/**
 * The weight breaks of a service in a lane, ascending. The breaks of one service and lane are one entry, because service
 * and lane in each of 20,000 breaks would exceed MAX_CARD_BYTES.
 */
export const tableEntrySchema = z.strictObject({
  service: codeSchema,
  lane: z.union([codeSchema, z.literal(ONLY_LANE)]),
  breaks: z.array(weightBreakSchema).min(1),
});
export type TableEntry = z.infer<typeof tableEntrySchema>;

export const distanceSchema = z.strictObject({
  /** Ratio of road distance to straight-line distance, for callers without a road engine. */
  road_factor: priceSchema.optional(),
  /** Ascending. A distance in a band costs base + per_km × (distance − upper bound of the previous band). */
  bands: z
    .array(z.strictObject({ up_to_km: measureSchema(MAX_KM), base: priceSchema, per_km: priceSchema }))
    .min(1)
    .max(1_000),
});
export type DistanceBase = z.infer<typeof distanceSchema>;

export const STORAGE_MEASURES = ['package', 'kg', 'litre', 'pallet'] as const;
export type StorageMeasure = (typeof STORAGE_MEASURES)[number];

export const storageSchema = z.strictObject({
  /** The day of receipt is day 1. */
  free_days: z.int().min(0).max(3_650),
  /** Ascending by `from_day`. The first one begins at latest on the first paid day. */
  tiers: z
    .array(
      z.strictObject({ from_day: z.int().min(1).max(36_500), per: z.enum(STORAGE_MEASURES), per_day: priceSchema }),
    )
    .min(1)
    .max(100),
  /** The class of packages is the first one that all of them fit in. */
  classes: z
    .array(
      z.strictObject({
        code: codeSchema,
        max_side_cm: measureSchema(MAX_CM).optional(),
        max_weight_kg: measureSchema(MAX_KG).optional(),
        factor: priceSchema,
      }),
    )
    .min(1)
    .max(50)
    .optional(),
  /** Day after which a package is overdue. It does not change the price. */
  max_days: z.int().min(1).max(36_500).optional(),
});
export type StorageBase = z.infer<typeof storageSchema>;

export const deviceSchema = z.strictObject({
  cell_size: codeSchema,
  /** Ascending from 0 minutes, without gaps. Exactly `minutes_to` belongs to the band. */
  bands: z
    .array(
      z.strictObject({
        minutes_from: measureSchema(MAX_MINUTES),
        /** Absent only in the last band. */
        minutes_to: measureSchema(MAX_MINUTES).optional(),
        amount: priceSchema,
      }),
    )
    .min(1)
    .max(1_000),
  /** Maximum amount for each started 24 hours. */
  day_cap: priceSchema.optional(),
});
export type DeviceBase = z.infer<typeof deviceSchema>;

/** Price of several packages. Without this part, each package of a table costs its base, and further ones of a
 * distance cost nothing. */
export const packagesSchema = z.strictObject({
  /** `each`: the first package costs its base. An amount: it costs this amount. */
  first: z.union([z.literal('each'), priceSchema]),
  /** Percent of the base, or an amount, for each further package. */
  further: z.union([z.strictObject({ percent: percentSchema }), z.strictObject({ flat: priceSchema })]),
});
export type PackagesRule = z.infer<typeof packagesSchema>;
