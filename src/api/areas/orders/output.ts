/** Orders in responses. Personal fields are absent once their person is erased. */
import { z } from 'zod';
import {
  ORDER_STATUS_NAMES,
  ORDER_TYPES,
  orderPlanningSchema,
  positionSourceSchema,
  PRECISIONS,
  type OrderStatus,
  type Stop,
} from '../../../events/orders/events.js';
import { ORDER_FAMILY } from '../../../commands/orders/billing.js';
import { EXCEPTION_STATUSES, type OrderException } from '../../../projections/orders/exceptions.js';
import type { Order } from '../../../projections/orders/queries.js';
import { HOLD_REASONS } from '../../../projections/orders/row.js';
import type { Via } from '../../../projections/alliances/active-grants.js';
import { isStaff, type Caller } from '../../core/callers.js';
import { viaSchema } from '../alliances/grantee.js';
import { thirdPartyOfferSchema } from '../third-party/offer-shape.js';
import { customAmountSchema } from '../plans/capacities.js';
import { sizesSchema, toPackage } from './sizes.js';
import { positionSchema } from '../../core/geo.js';
import { priced } from '../../core/prices.js';
import { RELATIONS } from '../../core/relations.js';
import { orderPriceMembers } from './prices.js';
import { returnDetailsOf, returnDetailsSchema } from './return-details.js';

export const statusSchema = z.enum(ORDER_STATUS_NAMES as [OrderStatus, ...OrderStatus[]]);
const text = z.string();

/** The geocoder that found a position, and the record of a dataset. */
export const positionSourceOutput = positionSourceSchema.meta({ id: 'PositionSource' });

export const stopSchema = z
  .object({
    name: text.optional(),
    company: text.optional(),
    phone: text.optional(),
    email: text.optional(),
    street: text.optional(),
    street_2: text.optional(),
    city: text.optional(),
    region: text.optional(),
    postal_code: text.optional(),
    country: text.optional(),
    position: positionSchema.optional(),
    located: z
      .object({ precision: z.enum(PRECISIONS), confidence: z.number(), source: positionSourceOutput })
      .meta({ id: 'StopLocated' })
      .optional()
      .describe('How the service found the position. Absent if the request contained the position.'),
  })
  .meta({ id: 'Address' });

export const packageSchema = z
  .object({
    tracking_number: text,
    external_tracking_number: text.optional(),
    description: text.optional(),
    ...sizesSchema.shape,
    last_scan: text.optional().describe('OTEP status code of the last scan.'),
  })
  .meta({ id: 'Package' });

/** A scan that made an order an exception. The order may have been delivered since. */
export const exceptionSchema = z
  .object({
    status: z.enum(EXCEPTION_STATUSES as [OrderStatus, ...OrderStatus[]]).describe('Kind of the exception.'),
    status_code: text.describe('OTEP status code of the scan.'),
    occurred_at: text,
    reason_code: text.nullable().describe('OTEP incident reason.'),
    note: text.nullable().describe('Note of the person who scanned.'),
    tracking_number: text,
    driver_id: z.int().nullable().describe('Null: a scan by staff or by a carrier.'),
  })
  .meta({ id: 'OrderException' })
  .register(RELATIONS, { driver: 'driver' });

export const timeWindowSchema = z
  .object({ stop: z.enum(['pickup', 'delivery']), from: text, to: text })
  .meta({ id: 'TimeWindow' });

/** Number of orders in a status. */
export const statusCountSchema = z.object({ status: statusSchema, count: z.int() }).meta({ id: 'OrderStatusCount' });

/** One schema for lists, details, search and the responses of writes. */
export const orderSchema = priced(
  {
    id: z.int(),
    order_ref: text.nullable(),
    type: z.enum(ORDER_TYPES),
    status: statusSchema,
    order_status_id: z.int(),
    hold_reason: z
      .enum(HOLD_REASONS)
      .nullable()
      .describe(
        '`payment`: the order is on hold until the customer has paid. `price`: the customer changed the order, and it is on hold until the office sets the price. `manual`: a user put the order on hold. Null: the order is not on hold.',
      ),
    customer_id: z.int().nullable(),
    schedule_date: text.nullable(),
    self_delivery: z.boolean(),
    pickup: stopSchema.nullable(),
    delivery: stopSchema.nullable(),
    packages: z.array(packageSchema),
    time_windows: z.array(timeWindowSchema),
    delivery_instruction: text.nullable(),
    note: text.nullable().describe('Internal note. Null for callers who are not staff.'),
    route_id: z.int().nullable(),
    broker_id: z.int().nullable().describe('Contractor to whom the order is assigned.'),
    third_party: text.nullable().describe('Carrier that delivers the order.'),
    warehouse_id: z.int().nullable().describe('Warehouse where the order starts (`D`) or ends (`P`).'),
    planning: orderPlanningSchema
      .extend({ custom_sizes: z.array(customAmountSchema).optional() })
      .meta({ id: 'OrderPlanning' })
      .nullable()
      .describe('Requirements for route plans. Null if none are set.'),
    return_details: returnDetailsSchema
      .nullable()
      .describe(
        'Reason why the parcels come back. The last scan with a reason determines it, otherwise the pick-up order.',
      ),
    replaces_order_id: z.int().nullable(),
    replaced_by_order_id: z.int().nullable(),
    created_by: z.int().nullable(),
    created_at: text,
    updated_at: text,
    version: z
      .int()
      .optional()
      .describe('Version for `If-Match` and `if_version`. Each change increases the version. Absent for partners.'),
    on_route: z
      .boolean()
      .optional()
      .describe('True if the order is on a route. Present only for an order of a partner, which contains no route id.'),
    via_alliance: viaSchema,
    match: z
      .object({
        score: z.number().describe('Similarity of the order to the search text. A higher number is more similar.'),
      })
      .meta({ id: 'OrderMatch' })
      .optional()
      .describe('Match of the order. Present only in searches.'),
    third_party_offer: thirdPartyOfferSchema
      .nullable()
      .optional()
      .describe('The latest offer to carriers. Null: the order was never offered. Present only in `order`, for staff.'),
    exceptions: z
      .array(exceptionSchema)
      .optional()
      .describe('Exceptions of the order, oldest first. Present only in `ordersExceptions`.'),
    ...orderPriceMembers,
  },
  () => ORDER_FAMILY,
)
  .meta({ id: 'Order' })
  .register(RELATIONS, { route: 'route', warehouse: 'warehouse', replaces_order: 'order', replaced_by_order: 'order' });

/** An exception in responses. */
export const toException = ({
  status,
  status_code,
  instant,
  reason_code,
  note,
  tracking_number,
  driver_id,
}: OrderException): z.infer<typeof exceptionSchema> => ({
  status: status as z.infer<typeof exceptionSchema>['status'],
  status_code,
  occurred_at: `${instant.slice(0, 23)}Z`,
  reason_code,
  note: note ?? null,
  tracking_number,
  driver_id,
});

/** A stop; null if no data of it is left. */
const stopOf = (stop: Stop | undefined): Stop | null => stop ?? null;

export function toOrder(order: Order, caller: Caller): z.infer<typeof orderSchema> {
  const {
    id,
    order_ref,
    type,
    status,
    status_id,
    customer_id,
    schedule_date,
    self_delivery,
    pickup,
    delivery,
    packages,
    descriptions = {},
    time_windows,
    delivery_instruction,
    internal_note,
    revision,
  } = order;
  return {
    id,
    version: revision,
    order_ref,
    type,
    status,
    order_status_id: status_id,
    customer_id,
    schedule_date,
    self_delivery,
    pickup: stopOf(pickup),
    delivery: stopOf(delivery),
    packages: packages.map((parcel) => ({
      ...toPackage(parcel),
      ...(descriptions[parcel.tracking_number] !== undefined && { description: descriptions[parcel.tracking_number] }),
    })),
    time_windows,
    delivery_instruction: delivery_instruction ?? null,
    note: (isStaff(caller) ? internal_note : undefined) ?? null,
    route_id: order.route_id,
    broker_id: order.broker_id,
    third_party: order.third_party,
    warehouse_id: order.warehouse_id,
    planning: order.planning && Object.keys(order.planning).length > 0 ? order.planning : null,
    hold_reason: order.hold_reason,
    return_details: returnDetailsOf(order),
    replaces_order_id: order.replaces,
    replaced_by_order_id: order.replaced_by,
    created_by: order.created_by,
    created_at: order.created_at,
    updated_at: order.updated_at,
  };
}

/** A partner's order: content, dates and areas. It has no persons, notes, references, customers or carriers. */
export const toSharedOrder = (order: Order, via: Via): z.infer<typeof orderSchema> => ({
  id: order.id,
  order_ref: null,
  type: order.type,
  status: order.status,
  order_status_id: order.status_id,
  customer_id: null,
  warehouse_id: null,
  planning: null,
  schedule_date: order.schedule_date,
  self_delivery: order.self_delivery,
  pickup: areaOf(order.pickup),
  delivery: areaOf(order.delivery),
  packages: order.packages.map(toPackage),
  time_windows: order.time_windows,
  delivery_instruction: null,
  note: null,
  route_id: null,
  broker_id: null,
  third_party: null,
  hold_reason: null,
  return_details: null,
  replaces_order_id: null,
  replaced_by_order_id: null,
  created_by: null,
  created_at: order.created_at,
  updated_at: order.updated_at,
  on_route: order.route_id !== null,
  via_alliance: via,
});

/** The area of a stop, without its exact address. */
export function areaOf(stop: Stop | undefined): Stop | null {
  if (!stop) return null;
  const { city, region, postal_code, country } = stop;
  return { city, region, postal_code, country };
}
