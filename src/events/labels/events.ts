/**
 * Events of a label order: parcels that a carrier transports with its label. Stream `label-<order id>`, which
 * is also the key subject of the personal members. The bill of the order is in the same stream.
 */
import { z } from 'zod';
import { BILL_EVENTS } from '../bill/events.js';
import { eventType, personal } from '../core/event-types.js';
import { amountSchema } from '../core/money.js';
import { LABEL_EFFECT_EVENTS, labelFileSchema } from './effects.js';

export const LABEL_PREFIX = 'label-';
export const labelStream = (orderId: number): string => `${LABEL_PREFIX}${orderId}`;
export const labelOrderIdOf = (stream: string): number => Number(stream.slice(LABEL_PREFIX.length));
const text = z.string();
const money = z.object({ amount: amountSchema, currency: text });

/** Sender, recipient, or the address for returns. */
const stopSchema = z.object({
  name: text.optional(),
  company: text.optional(),
  phone: text.optional(),
  email: text.optional(),
  street: text.optional(),
  street_2: text.optional(),
  city: text.optional(),
  region: text.optional(),
  postal_code: text.optional(),
  /** ISO 3166-1 alpha-2. */
  country: text,
});
export type LabelStop = z.infer<typeof stopSchema>;

const packageSchema = z.object({
  /** Position in the order, from 1, as text. */
  package_id: text,
  weight_kg: z.number(),
  length_cm: z.number().optional(),
  width_cm: z.number().optional(),
  height_cm: z.number().optional(),
  declared_value: amountSchema.optional(),
  currency: text.optional(),
});

const optionsSchema = z.object({
  signature: z.enum(['none', 'any', 'adult']).optional(),
  insurance_amount: amountSchema.optional(),
  residential: z.boolean().optional(),
  saturday: z.boolean().optional(),
  cod_amount: amountSchema.optional(),
});

const customsSchema = z.object({
  contents: z.enum(['merchandise', 'documents', 'gift', 'sample', 'returned_goods', 'other']),
  incoterm: z.enum(['DAP', 'DDP', 'DDU']),
  items: z.array(
    z.object({
      description: text,
      quantity: z.int(),
      value: amountSchema,
      currency: text,
      weight_kg: z.number(),
      hs_code: text.optional(),
      origin: text,
    }),
  ),
});

const createdSchema = z.object({
  order_id: z.int(),
  business: z.int(),
  /** Account of the customer that pays. Absent: the order belongs to no customer. */
  customer_id: z.int().optional(),
  order_ref: text.optional(),
  /** Account of the business at the carrier. */
  account_id: z.int(),
  adapter: text,
  method_id: z.int(),
  /** Code of the method at the carrier. */
  method_code: text,
  method_name: text,
  carrier: text,
  /** `YYYY-MM-DD`. */
  ship_date: text,
  from: personal(stopSchema),
  to: personal(stopSchema),
  return_to: personal(stopSchema),
  packages: z.array(packageSchema),
  /** Descriptions of the contents, by package. */
  contents: personal(z.record(text, text)),
  options: optionsSchema,
  customs: personal(customsSchema),
  label_format: z.enum(['pdf', 'png', 'zpl']),
  label_size: z.enum(['4x6', 'a6', 'a4']),
  /** The quote at which the order was placed. */
  rate_id: text.optional(),
  /** The carrier's price for all packages when the order was placed. */
  agreed_cost: money.optional(),
  /**
   * The purchases, one for each shipment at the carrier. `about`: the id of the package, or `order`. `digest`: keyed, of
   * the request. `max_cost`: the shipment is not bought for more than this.
   */
  shipments: z.array(z.object({ about: text, packages: z.array(text), digest: text, max_cost: money.optional() })),
  /** User id. */
  created_by: z.int().optional(),
});
export type NewLabelOrder = z.infer<typeof createdSchema>;

export const LabelOrderCreated = eventType('LabelOrderCreated', createdSchema, {
  amounts: {
    packages: 'shown',
    options: 'shown',
    customs: 'shown',
    agreed_cost: 'never',
    'shipments.max_cost': 'never',
  },
});

/** A label that was downloaded after its purchase. */
export const LabelFileStored = eventType('LabelFileStored', z.object({ package_id: text, label: labelFileSchema }));

/** When the customer gets the money back: when the carrier confirms the void, or already when it accepts the request. */
export const REFUND_MOMENTS = ['refunded', 'submitted'] as const;

/** `shipments`: the subjects of the voids. `is_whole`: the order is cancelled, not single packages. */
export const LabelVoidRequested = eventType(
  'LabelVoidRequested',
  z.object({
    shipments: z.array(text),
    is_whole: z.boolean(),
    refund_on: z.enum(REFUND_MOMENTS),
    reason: personal(text),
    requested_by: z.int().optional(),
  }),
);

/** The carrier has confirmed the void. `refunded`: the cost that it returns. */
export const LabelVoided = eventType(
  'LabelVoided',
  z.object({ shipment: text, effect_id: z.uuid(), refunded: money.optional() }),
  { amounts: { refunded: 'never' } },
);

/** The carrier had accepted the request for a void, and then refused it. */
export const LabelVoidRejected = eventType('LabelVoidRejected', z.object({ shipment: text, effect_id: z.uuid() }));

export const ManifestJoined = eventType('ManifestJoined', z.object({ manifest_id: z.int() }));
/** `why` of a label that joined too late: the carrier was not asked about it. */
export const NOT_LISTED = 'NOT_LISTED';
/** `why`: the code with which the carrier refused the label, or `NOT_LISTED`. */
export const ManifestLeft = eventType('ManifestLeft', z.object({ manifest_id: z.int(), why: text }));
export const ManifestConfirmed = eventType(
  'ManifestConfirmed',
  z.object({ manifest_id: z.int(), carrier_reference: text }),
);

/** The carrier has the data of the shipment, or its carrier needs no manifest. */
export const LabelInformationSubmitted = eventType(
  'LabelInformationSubmitted',
  z.object({ submitted_by: z.int().optional() }),
);

/** A scan of the carrier, as the timeline of the package records it. */
export const LabelStatusFollowed = eventType(
  'LabelStatusFollowed',
  z.object({
    package_id: text,
    /** OTEP, without a prefix. */
    status_code: text,
    /** RFC 3339, UTC. */
    instant: text,
    /** Id of the event of the timeline. */
    scan: z.uuid(),
  }),
);

export const LabelOrderCancelled = eventType(
  'LabelOrderCancelled',
  z.object({ reason: personal(text), cancelled_by: z.int().optional() }),
);

export const LABEL_EVENTS = [
  LabelOrderCreated,
  ...LABEL_EFFECT_EVENTS,
  LabelFileStored,
  LabelVoidRequested,
  LabelVoided,
  LabelVoidRejected,
  ManifestJoined,
  ManifestLeft,
  ManifestConfirmed,
  LabelInformationSubmitted,
  LabelStatusFollowed,
  LabelOrderCancelled,
  ...BILL_EVENTS,
] as const;
