/** The live feed of a warehouse: changes of its parcels, stock, transfers and locations. */
import { z } from 'zod';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { TransferQueries } from '../../../projections/transfers/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { feed, type Feed } from '../../core/feed.js';
import { idSchema } from '../../core/ids.js';
import { createLogFeed } from '../../core/log-feed.js';
import { afterCursor, MAX_LAG_MS, changeEvent, toSubscription, expectCursor } from '../../core/log-feed-events.js';
import type { Parts } from '../../core/parts.js';
import { changesIn, WATCHED_PREFIXES, type WarehouseChange } from './warehouse-changes.js';

const warehouseEventSchema = z
  .object({
    cursor: z.string().describe('Cursor to pass as `after` when you reconnect.'),
    type: z.string().describe('Type of the event. `reset`: too many events were missed; read the warehouse again.'),
    at: z.string(),
    order_id: z.int().optional(),
    tracking_number: z.string().optional(),
    location: z.string().optional(),
    route_id: z.int().optional(),
    sku: z.string().optional(),
    on_hand: z.string().optional().describe('Quantity of the SKU in the warehouse after the event.'),
    available: z.string().optional(),
    transfer_id: z.int().optional(),
  })
  .meta({ id: 'WarehouseEvent' });

export interface WarehouseFeedOptions extends Parts<'warehouses' | 'log' | 'progress' | 'now'> {
  readonly stock: Pick<StockQueries, 'byIds'>;
  readonly transfers: Pick<TransferQueries, 'sidesOf'>;
}

/** Whether the caller sees the warehouse and its locations, but neither stock nor parcels. */
const seesOnlyLocations = ({ role }: Caller): boolean => role === 'broker' || role === 'driver';

export function warehouseFeed({ warehouses, stock, transfers, log, progress, now }: WarehouseFeedOptions): Feed {
  /** One log reader for all subscribers; changes are grouped by warehouse. */
  const logFeed = createLogFeed<readonly WarehouseChange[]>({
    log,
    now,
    prefixes: WATCHED_PREFIXES,
    async resolve(events, position, wanted) {
      // The read models map streams of stock and transfers to warehouses.
      await Promise.all((['stock', 'transfers'] as const).map((name) => progress.waitFor(name, position, MAX_LAG_MS)));
      return changesIn(events, wanted, { stock, transfers });
    },
  });

  return feed({
    name: 'warehouseEvents',
    area: 'Warehouse Mobile',
    summary: 'Follow changes in a warehouse',
    description:
      'Streams changes of parcels, stock, transfers and locations. Read the warehouse or its inventory first and pass `X-Event-Position` as `after`; without `after`, the stream starts now. Contractors and drivers receive only changes of the warehouse and its locations. For server-sent events, send `Accept: text/event-stream`.',
    path: '/v1/wms/warehouses/:warehouse_id/events',
    callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
    scopes: ['wms:read'],
    input: z.object({ warehouse_id: idSchema, after: afterCursor }),
    output: warehouseEventSchema,
    async subscribe({ warehouse_id, after }, { caller, signal }) {
      expectCursor(log, after);
      if (!(await warehouses.byId(warehouse_id, businessOf(caller)))) throw new ApiError('WAREHOUSE_NOT_FOUND');
      return toSubscription(await logFeed.listen(String(warehouse_id), signal, after), now, (changes) =>
        changes
          .filter(({ isLocationChange }) => isLocationChange || !seesOnlyLocations(caller))
          .map(({ isLocationChange: _of, ...change }) => changeEvent(change)),
      );
    },
  });
}
