/** An order as a provider sees it: before it accepts, only areas, sizes, times and the fee. */
import { z } from 'zod';
import { ORDER_TYPES, type Stop } from '../../../events/orders/events.js';
import { metresBetween } from '../../../projections/core/geo.js';
import {
  showsPersonalData,
  VISIBLE_STATUSES,
  type OrderOfProvider,
  type VisibleStatus,
} from '../../../projections/third-party/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { packageSchema, statusSchema, stopSchema, timeWindowSchema } from '../orders/output.js';
import { toPackage } from '../orders/sizes.js';

const text = z.string();
/** RFC 3339, UTC. */
const deadline = text.meta({ format: 'date-time' }).nullable();

export const thirdPartyOrderSchema = z
  .object({
    id: z.int(),
    business_id: z.int(),
    status: z.enum(VISIBLE_STATUSES).describe('`offered`: accept or decline it. `taken`: the provider has the order.'),
    offer_id: z
      .uuid()
      .nullable()
      .describe('Id of the offer, for `thirdPartyAccept` and `thirdPartyDecline`. Null without an offer.'),
    respond_by: deadline.describe('Time until which the provider can respond. Null without an offer.'),
    pickup_by: deadline.describe('Latest pick-up.'),
    deliver_by: deadline.describe('Latest end of the delivery.'),
    fee: text.nullable().describe('Amount that the business offers for the delivery.'),
    currency: text.nullable(),
    type: z.enum(ORDER_TYPES),
    order_status: statusSchema,
    schedule_date: text.nullable(),
    time_windows: z.array(timeWindowSchema),
    pickup: stopSchema
      .nullable()
      .describe(
        'Place of the pick-up. For type `D` without a pick-up: the warehouse. Offered orders contain only city, postal code and country.',
      ),
    delivery: stopSchema
      .nullable()
      .describe(
        'Place of the delivery. For type `P` without a delivery: the warehouse. Offered orders contain only city, postal code and country.',
      ),
    distance_m: z
      .number()
      .nullable()
      .describe(
        'Length of the straight line between pick-up and delivery, rounded to 100 m. Null if a position is unknown.',
      ),
    packages: z
      .array(packageSchema.partial({ tracking_number: true }).meta({ id: 'ThirdPartyPackage' }))
      .describe('Packages of the order. Offered orders contain only their sizes.'),
    order_ref: text.nullable().describe('Null for offered orders.'),
    delivery_instruction: text.nullable().describe('Null for offered orders.'),
    reference: text.nullable().describe("The provider's own reference."),
    eta_at: text.nullable(),
    status_since: text.meta({ format: 'date-time' }),
  })
  .meta({ id: 'ThirdPartyOrder' });
export type ThirdPartyOrder = z.infer<typeof thirdPartyOrderSchema>;

const DISTANCE_STEP_M = 100;

/** Converts orders for their provider. Warehouses that several orders share are read once. */
export function createOrderView(
  warehouses: Pick<WarehouseQueries, 'byId'>,
): (orders: readonly OrderOfProvider[], now: number) => Promise<ThirdPartyOrder[]> {
  return (orders, now) => {
    const known = new Map<number, Promise<Stop | undefined>>();
    const addressOf = (id: number | null, business: number): Promise<Stop | undefined> | undefined => {
      if (id === null) return undefined;
      const found = known.get(id) ?? warehouses.byId(id, business).then((warehouse) => warehouse?.address);
      known.set(id, found);
      return found;
    };
    return Promise.all(
      orders.map(async (found) => {
        const { type, warehouse_id, business, pickup, delivery } = found.order;
        const warehouse = await addressOf(warehouse_id, business);
        return toThirdPartyOrder(
          found,
          {
            pickup: pickup ?? (type === 'D' ? warehouse : undefined),
            delivery: delivery ?? (type === 'P' ? warehouse : undefined),
          },
          now,
        );
      }),
    );
  };
}

interface Stops {
  readonly pickup: Stop | undefined;
  readonly delivery: Stop | undefined;
}

function toThirdPartyOrder(found: OrderOfProvider, { pickup, delivery }: Stops, now: number): ThirdPartyOrder {
  const { part, order } = found;
  const { offer_id, respond_by, pickup_by, deliver_by, fee, currency, reference, eta_at, status_since } = part;
  const isPersonal = showsPersonalData(found, now);
  const stop = (one: Stop | undefined): Stop | null => (isPersonal ? (one ?? null) : areaOf(one));
  const { descriptions = {} } = order;
  return {
    id: order.id,
    business_id: order.business,
    status: part.status as VisibleStatus,
    offer_id,
    respond_by,
    pickup_by,
    deliver_by,
    fee,
    currency,
    type: order.type,
    order_status: order.status,
    schedule_date: order.schedule_date,
    time_windows: order.time_windows,
    pickup: stop(pickup),
    delivery: stop(delivery),
    distance_m: distanceBetween(pickup, delivery),
    packages: order.packages.map((one) => {
      const { weight_kg, length_cm, width_cm, height_cm, ...named } = toPackage(one);
      const sizes = { weight_kg, length_cm, width_cm, height_cm };
      if (!isPersonal) return part.status === 'taken' ? { ...sizes, tracking_number: one.tracking_number } : sizes;
      return { ...named, ...sizes, description: descriptions[one.tracking_number] };
    }),
    order_ref: part.status === 'taken' ? order.order_ref : null,
    delivery_instruction: (isPersonal ? order.delivery_instruction : undefined) ?? null,
    reference,
    eta_at,
    status_since,
  };
}

/** City, postal code and country of a stop: no name, street, phone or text. */
function areaOf(stop: Stop | undefined): Stop | null {
  if (!stop) return null;
  const { city, postal_code, country } = stop;
  return { city, postal_code, country };
}

function distanceBetween(from: Stop | undefined, to: Stop | undefined): number | null {
  if (!from?.position || !to?.position) return null;
  return Math.round(metresBetween(from.position, to.position) / DISTANCE_STEP_M) * DISTANCE_STEP_M;
}
