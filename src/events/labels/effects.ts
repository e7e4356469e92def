/** The calls to carriers that a label order records: the purchase of a label, and its void. */
import { z } from 'zod';
import { amountSchema, currencySchema } from '../core/money.js';
import { effectSteps, stepEvents } from '../effects/steps.js';

/** The subject of both effects for a carrier whose shipments have several packages: all packages of the order. */
export const WHOLE_ORDER = 'order';

/** A stored label. Its bytes are a file of the purpose `issued`. */
export const labelFileSchema = z.object({
  file_id: z.uuid(),
  format: z.enum(['pdf', 'png', 'zpl']),
  media_type: z.string(),
  bytes: z.int(),
});
export type StoredLabelFile = z.infer<typeof labelFileSchema>;

const purchaseResultSchema = z.object({
  /** Object at the carrier to which voids, manifests and downloads refer. */
  remote_id: z.string(),
  carrier: z.string(),
  service: z.string(),
  /** What the carrier charges the business. */
  cost: amountSchema,
  currency: z.string(),
  packages: z.array(
    z.object({
      package_id: z.string(),
      tracking_number: z.string(),
      /** Absent: the download failed, and is repeated. */
      label: labelFileSchema.optional(),
      billed_weight_kg: z.number().optional(),
    }),
  ),
});
/** Maximum number of packages of a label order. */
const MAX_PACKAGES = 20;
const name = z.string().trim().min(1).max(100);

/** Staff give no label: the id of a file of another business would make that file readable. It is downloaded later. */
const settledPurchaseSchema = z.strictObject({
  remote_id: z.string().regex(/^[\w-]{1,100}$/),
  carrier: name,
  service: name,
  cost: amountSchema,
  currency: currencySchema,
  packages: z
    .array(
      z.strictObject({
        package_id: z.string().min(1).max(10),
        tracking_number: z.string().trim().min(1).max(64),
        billed_weight_kg: z.number().positive().max(100_000).optional(),
      }),
    )
    .min(1)
    .max(MAX_PACKAGES),
});
export type LabelPurchaseResult = z.infer<typeof purchaseResultSchema>;

/** `about`: the id of the package, or `WHOLE_ORDER`. */
export const LABEL_PURCHASE = effectSteps(
  'label_purchase',
  {
    begun: 'LabelPurchaseBegun',
    reserved: 'CarrierShipmentReserved',
    done: 'LabelPurchased',
    refused: 'LabelPurchaseFailed',
    leftOpen: 'LabelPurchaseLeftOpen',
  },
  { result: purchaseResultSchema, settled: settledPurchaseSchema, amounts: { 'result.cost': 'never' } },
);

/** `submitted`: the carrier decides later whether it returns the cost. `not_applicable`: there is nothing to return. */
export const VOID_STATUSES = ['submitted', 'refunded', 'rejected', 'not_applicable'] as const;
export type LabelVoidStatus = (typeof VOID_STATUSES)[number];

export const LABEL_VOID = effectSteps(
  'label_void',
  {
    begun: 'LabelVoidBegun',
    reserved: 'LabelVoidReserved',
    done: 'LabelVoidAccepted',
    refused: 'LabelVoidRefused',
    leftOpen: 'LabelVoidLeftOpen',
  },
  { result: z.object({ status: z.enum(VOID_STATUSES) }), settled: z.strictObject({ status: z.enum(VOID_STATUSES) }) },
);

export const LABEL_EFFECTS = [LABEL_PURCHASE, LABEL_VOID] as const;
export const LABEL_EFFECT_EVENTS = LABEL_EFFECTS.flatMap(stepEvents);
