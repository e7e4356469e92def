/** A parcel of an order as seen by warehouses. */
import { z } from 'zod';
import { PARCEL_STATES } from '../../../events/orders/events.js';
import type { ParcelRow } from '../../../projections/handling/queries.js';
import { RELATIONS } from '../../core/relations.js';

export const parcelSchema = z
  .object({
    order_id: z.int(),
    tracking_number: z.string(),
    status: z.enum(PARCEL_STATES),
    warehouse_id: z.int().nullable().describe('Warehouse that the parcel is in. Null: the parcel is in no warehouse.'),
    location: z.string().nullable(),
    bay: z.string().nullable(),
    changed_at: z.string().nullable().describe('Time of the last change of status or place. Null: no change yet.'),
    route_id: z.int().nullable(),
    own_warehouse_id: z
      .int()
      .nullable()
      .describe('Warehouse of the order. A parcel at a different warehouse was received at the wrong place.'),
  })
  .meta({ id: 'WarehouseParcel' })
  .register(RELATIONS, { order: 'order', warehouse: 'warehouse', route: 'route', own_warehouse: 'warehouse' });

export const toParcel = ({ state, since, ...row }: ParcelRow): z.infer<typeof parcelSchema> => ({
  ...row,
  status: state,
  changed_at: since,
});
