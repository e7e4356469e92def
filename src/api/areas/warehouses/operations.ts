/** Warehouses and their locations. */
import { z } from 'zod';
import type { WarehouseCommand } from '../../../commands/warehouses/decider.js';
import type { Handle } from '../../../commands/core/handle.js';
import type { Site } from '../../../events/warehouses/events.js';
import type { ParcelQueries } from '../../../projections/handling/queries.js';
import type { StockQueries } from '../../../projections/stock/queries.js';
import type { TransferQueries } from '../../../projections/transfers/queries.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import type { ReadSharedWarehouses } from '../../../projections/warehouses/shared.js';
import { WAREHOUSE_IDS } from '../../../projections/warehouses/read-model.js';
import { clearable, emptied } from '../../core/clearing.js';
import { deleted, deletedSchema } from '../../core/deleted.js';
import { businessOf } from '../../core/callers.js';
import { ApiError, fieldError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { clientInput, granteeOf } from '../alliances/grantee.js';
import {
  toSite,
  locationCode,
  siteInput,
  toPartnersWarehouse,
  toWarehouse,
  WAREHOUSE_VERSION,
  warehouseSchema,
  type WarehouseUsage,
} from './shapes.js';
import { createSend, NOT_FOUND, WRITE, writeOutput } from './writing.js';

const READ = {
  area: 'Warehouse Mobile',
  callers: ['client_admin', 'employee', 'auditor', 'broker', 'driver'],
  scopes: ['wms:read'],
  reads: ['warehouses', 'packages_at', 'alliances'],
} as const;
const MAX_WAREHOUSES = 500;

export interface WarehousesOptions {
  readonly handle: Handle<WarehouseCommand, string | undefined>;
  readonly queries: WarehouseQueries;
  readonly stock: Pick<StockQueries, 'locationsInUse'>;
  readonly parcels: Pick<ParcelQueries, 'onHand' | 'locationsInUse' | 'isAwaitedAt'>;
  readonly transfers: Pick<TransferQueries, 'isUnderWayAt'>;
  /** Warehouses that partners share. */
  readonly shared: ReadSharedWarehouses;
}

export function warehouseOperations({
  handle,
  queries,
  stock,
  parcels,
  transfers,
  shared,
}: WarehousesOptions): Operation[] {
  const send = createSend(handle);
  async function usageOf(business: number): Promise<WarehouseUsage> {
    const [byDefault, onHand] = await Promise.all([queries.byDefault(business), parcels.onHand(business)]);
    return { byDefault, onHand };
  }

  return [
    operation({
      ...READ,
      name: 'warehouses',
      summary: 'List warehouses',
      description:
        'With `business_id`, staff list the warehouses that a partner grants (`network`). They contain only names, areas and opening hours.',
      rest: { method: 'get', path: '/v1/wms/warehouses' },
      answers: { 404: 'The business with this `business_id` grants the caller no warehouses.' },
      input: z.object({ ...clientInput, ...pageInput }),
      output: z.object({ ...pageOutput, warehouses: z.array(warehouseSchema) }),
      async run({ business_id, ...page }, { caller }) {
        const taker = granteeOf(caller, business_id);
        if (taker) {
          if (!taker.mayUseGrants) throw fieldError('NOT_FOUND', 'business_id');
          const { granted, warehouses, ...found } = await shared(taker, rangeOf(page));
          if (!granted) throw fieldError('NOT_FOUND', 'business_id');
          return {
            ...pageOf(page, found),
            warehouses: warehouses.map((one) => toPartnersWarehouse(one.warehouse, one.via)),
          };
        }
        const business = businessOf(caller);
        const { rows, ...found } = await queries.list(business, rangeOf(page));
        const usage = await usageOf(business);
        return { ...pageOf(page, found), warehouses: rows.map((one) => toWarehouse(one, usage)) };
      },
    }),
    operation({
      ...READ,
      name: 'warehouse',
      versioned: WAREHOUSE_VERSION,
      summary: 'Get a warehouse with its locations',
      description: 'With `business_id`, returns a warehouse that a partner grants, without its locations.',
      rest: { method: 'get', path: '/v1/wms/warehouses/:warehouse_id' },
      answers: NOT_FOUND,
      input: z.object({ warehouse_id: idSchema, ...clientInput }),
      output: z.object({ result: z.boolean(), warehouse: warehouseSchema }),
      async run({ warehouse_id, business_id }, { caller }) {
        const taker = granteeOf(caller, business_id);
        if (taker) {
          const found = taker.mayUseGrants ? await shared(taker, { id: warehouse_id, offset: 0, limit: 1 }) : undefined;
          const one = found?.warehouses[0];
          if (!one) throw new ApiError('WAREHOUSE_NOT_FOUND');
          return { result: true, warehouse: toPartnersWarehouse(one.warehouse, one.via) };
        }
        const found = await queries.byId(warehouse_id, businessOf(caller));
        if (!found) throw new ApiError('WAREHOUSE_NOT_FOUND');
        const locations = Object.values(found.locations).sort(
          (a, b) => a.sequence - b.sequence || (a.code < b.code ? -1 : 1),
        );
        const warehouse = toWarehouse(found, await usageOf(businessOf(caller)));
        return { result: true, warehouse: { ...warehouse, locations } };
      },
    }),
    operation({
      ...WRITE,
      name: 'warehouseCreate',
      returns: { read: 'warehouse' },
      summary: 'Create a warehouse',
      description: 'A new warehouse has no locations. Add them with `locationsBatch`.',
      rest: { method: 'post', path: '/v1/wms/warehouses', status: 201 },
      answers: {
        409: '`WAREHOUSE_CODE_TAKEN`: another warehouse has the code. `TOO_MANY_WAREHOUSES`: the maximum number is reached.',
      },
      input: z.object({ code: locationCode, ...siteInput }),
      output: writeOutput,
      async run({ code, ...site }, context) {
        const { taken, count } = await queries.codeUsage(businessOf(context.caller), code);
        if (taken) throw fieldError('WAREHOUSE_CODE_TAKEN', 'code');
        if (count >= MAX_WAREHOUSES) throw new ApiError('TOO_MANY_WAREHOUSES', { params: { max: MAX_WAREHOUSES } });
        const [id] = await context.reserveIds(WAREHOUSE_IDS, 1);
        return send(id!, context, { do: 'open', code, site: toSite(site) as Site });
      },
    }),
    operation({
      ...WRITE,
      name: 'warehouseUpdate',
      versioned: WAREHOUSE_VERSION,
      returns: { read: 'warehouse' },
      summary: 'Update a warehouse',
      description: 'Fields that are omitted stay unchanged.',
      rest: { method: 'patch', path: '/v1/wms/warehouses/:warehouse_id' },
      answers: NOT_FOUND,
      input: z.object({
        warehouse_id: idSchema,
        ...z
          .object({
            ...siteInput,
            opening_hours: siteInput.opening_hours.unwrap(),
            dock_minutes: z.int().min(0).max(1_440),
          })
          .partial().shape,
        contact: clearable(siteInput.contact.unwrap()),
      }),
      output: writeOutput,
      run: ({ warehouse_id, ...site }, context) =>
        send(warehouse_id, context, { do: 'change', site: toSite(emptied(site, 'contact')) as Partial<Site> }),
    }),
    operation({
      ...WRITE,
      name: 'warehouseMakeDefault',
      versioned: WAREHOUSE_VERSION,
      returns: { read: 'warehouse' },
      summary: 'Make a warehouse the default for new orders',
      description: 'New orders start (`D`) or end (`P`) at the default warehouse unless they name another warehouse.',
      rest: { method: 'post', path: '/v1/wms/warehouses/:warehouse_id/make-default' },
      answers: NOT_FOUND,
      input: z.object({ warehouse_id: idSchema }),
      output: writeOutput,
      run: ({ warehouse_id }, context) => send(warehouse_id, context, { do: 'makeDefault' }),
    }),
    operation({
      ...WRITE,
      name: 'warehouseDelete',
      versioned: WAREHOUSE_VERSION,
      summary: 'Close an empty warehouse',
      description:
        'The warehouse must have no stock, parcels, open orders or transfers (`WAREHOUSE_IN_USE`). It cannot be reopened.',
      rest: { method: 'delete', path: '/v1/wms/warehouses/:warehouse_id' },
      reads: ['stock', 'packages_at', 'transfers'],
      answers: {
        ...NOT_FOUND,
        409: '`WAREHOUSE_IN_USE`: the warehouse has stock or parcels, an open order starts or ends there, or a transfer is under way.',
      },
      input: z.object({ warehouse_id: idSchema }),
      output: deletedSchema,
      async run({ warehouse_id }, context) {
        const business = businessOf(context.caller);
        const [used, onHand, isAwaited, isUnderWay] = await Promise.all([
          stock.locationsInUse(warehouse_id, business),
          parcels.onHand(business),
          parcels.isAwaitedAt(warehouse_id, business),
          transfers.isUnderWayAt(warehouse_id, business),
        ]);
        // Orders on routes of any day are included if they start or end here (warehouse R11).
        if (used.length > 0 || onHand.has(warehouse_id) || isAwaited || isUnderWay)
          throw new ApiError('WAREHOUSE_IN_USE');
        return deleted(send(warehouse_id, context, { do: 'close' }));
      },
    }),
  ];
}
