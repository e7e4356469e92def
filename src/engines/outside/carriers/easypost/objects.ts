/** The members of EasyPost's objects that the service reads. All other members are ignored. */
import { z } from 'zod';

const amount = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/);
const text = z.string().max(2_000);

export const REFUND_STATUSES = ['submitted', 'refunded', 'rejected', 'not_applicable'] as const;

export const rateSchema = z.object({
  id: z.string().min(1),
  carrier: z.string().min(1),
  service: z.string().min(1),
  rate: amount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  delivery_days: z.int().nonnegative().nullish(),
  delivery_date: text.nullish(),
  delivery_date_guaranteed: z.boolean().nullish(),
});
export type Rate = z.infer<typeof rateSchema>;

/** Why a carrier has no rates. */
const messageSchema = z.object({ carrier: text.nullish(), type: text.nullish(), message: text.nullish() });
export type Message = z.infer<typeof messageSchema>;

const labelSchema = z.object({
  label_file_type: text.nullish(),
  label_url: text.nullish(),
  label_pdf_url: text.nullish(),
  label_zpl_url: text.nullish(),
});
export type PostageLabel = z.infer<typeof labelSchema>;

const feeSchema = z.object({ type: z.string(), amount, charged: z.boolean(), refunded: z.boolean() });

export const scanFormSchema = z.object({
  id: z.string().min(1),
  status: z.enum(['creating', 'created', 'failed']),
  message: text.nullish(),
  form_url: text.nullish(),
});
export type ScanForm = z.infer<typeof scanFormSchema>;

const locationSchema = z.object({ city: text.nullish(), state: text.nullish(), country: text.nullish() });

const trackingDetailSchema = z.object({
  message: text.nullish(),
  status: z.string().min(1).max(60),
  status_detail: z.string().max(60).nullish(),
  datetime: text.refine((value) => !Number.isNaN(Date.parse(value)), 'must be a date and time'),
  tracking_location: locationSchema.nullish(),
});
export type TrackingDetail = z.infer<typeof trackingDetailSchema>;

export const trackerSchema = z.object({
  tracking_code: z.string().min(1),
  shipment_id: z.string().nullish(),
  /** In ounces, as the carrier reports it. */
  weight: z.number().positive().nullish(),
  tracking_details: z.array(trackingDetailSchema),
});
export type Tracker = z.infer<typeof trackerSchema>;

export const shipmentSchema = z.object({
  id: z.string().regex(/^shp_\w+$/),
  tracking_code: z.string().min(1).nullable(),
  rates: z.array(rateSchema),
  selected_rate: rateSchema.nullable(),
  messages: z.array(messageSchema).default([]),
  postage_label: labelSchema.nullable(),
  refund_status: z.enum(REFUND_STATUSES).nullish(),
  scan_form: scanFormSchema.nullish(),
  fees: z.array(feeSchema).default([]),
  /** Absent in the response to a creation until EasyPost has asked the carrier. */
  tracker: trackerSchema.pick({ weight: true }).nullish(),
});
export type Shipment = z.infer<typeof shipmentSchema>;

/** The members by which shipments are grouped on a scan form. */
export const senderSchema = shipmentSchema.extend({
  from_address: z.record(z.string(), z.unknown()),
  selected_rate: rateSchema.extend({ carrier_account_id: z.string().min(1) }).nullable(),
});
export type SentShipment = z.infer<typeof senderSchema>;

export const trackersSchema = z.object({ trackers: z.array(trackerSchema) });

export const eventSchema = z.object({ id: z.string().min(1).max(255), description: z.string() });

export const carrierAccountsSchema = z.array(z.object({ type: z.string() }));

export const carriersSchema = z.object({
  carriers: z.array(
    z.object({
      name: z.string().min(1),
      human_readable: z.string().min(1),
      service_levels: z.array(z.object({ name: z.string().min(1), human_readable: z.string().nullish() })),
    }),
  ),
});

export const errorSchema = z.object({
  error: z.object({ code: z.string().max(200), message: z.unknown(), errors: z.array(z.unknown()).nullish() }),
});
