/** Locations of a warehouse: add, update and remove. */
import { z } from 'zod';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import type { WarehousesOptions } from './operations.js';
import { locationChanges, locationCode, locationInput, locationResultSchema, WAREHOUSE_VERSION } from './shapes.js';
import { createSend, NOT_FOUND, WRITE, writeOutput } from './writing.js';

/** Limit per request. */
const MAX_LOCATIONS = 1_000;

export function locationOperations({
  handle,
  stock,
  parcels,
  queries,
}: Pick<WarehousesOptions, 'handle' | 'stock' | 'parcels' | 'queries'>): Operation[] {
  const send = createSend(handle);
  return [
    operation({
      ...WRITE,
      name: 'locationsBatch',
      versioned: WAREHOUSE_VERSION,
      summary: 'Create or update locations of a warehouse',
      description:
        'If a location with a code exists, it is updated. The request succeeds or fails as a whole. It can contain at most 1,000 locations.',
      rest: { method: 'post', path: '/v1/wms/warehouses/:warehouse_id/locations/batch' },
      answers: NOT_FOUND,
      input: z.object({ warehouse_id: idSchema, locations: z.array(locationInput).min(1).max(MAX_LOCATIONS) }),
      output: z.object({ result: z.boolean(), results: z.array(locationResultSchema) }),
      async run({ warehouse_id, locations }, context) {
        await send(warehouse_id, context, { do: 'putLocations', locations });
        const storedLocations = (await queries.byId(warehouse_id, businessOf(context.caller)))?.locations ?? {};
        const results = locations.map((location, index) => {
          const blockedReason = storedLocations[location.code]?.blocked;
          return {
            index,
            result: true,
            location: { ...location, ...(blockedReason !== undefined && { blocked: blockedReason }) },
          };
        });
        return { result: true, results };
      },
    }),
    operation({
      ...WRITE,
      name: 'locationsRemove',
      versioned: WAREHOUSE_VERSION,
      returns: { read: 'warehouse' },
      summary: 'Remove empty locations of a warehouse',
      description: 'If one of the locations has stock or parcels, no location is removed (`LOCATION_IN_USE`).',
      rest: { method: 'post', path: '/v1/wms/warehouses/:warehouse_id/locations/remove' },
      reads: ['stock', 'packages_at'],
      answers: { ...NOT_FOUND, 409: '`LOCATION_IN_USE`: one of the locations has stock or parcels.' },
      input: z.object({ warehouse_id: idSchema, codes: z.array(locationCode).min(1).max(MAX_LOCATIONS) }),
      output: writeOutput,
      async run({ warehouse_id, codes }, context) {
        const business = businessOf(context.caller);
        const used = (
          await Promise.all([stock, parcels].map((source) => source.locationsInUse(warehouse_id, business)))
        ).flat();
        const inUse = codes.filter((code) => used.includes(code));
        if (inUse.length > 0)
          throw new ApiError('LOCATION_IN_USE', { params: { codes: inUse.slice(0, 20).join(', ') } });
        return send(warehouse_id, context, { do: 'removeLocations', codes });
      },
    }),
    operation({
      ...WRITE,
      name: 'locationUpdate',
      versioned: WAREHOUSE_VERSION,
      returns: { read: 'warehouse' },
      summary: 'Update a location of a warehouse',
      description:
        'Fields that are omitted stay unchanged. Set `capacity` to null to remove the capacity. Goods cannot be put at a blocked location.',
      rest: { method: 'patch', path: '/v1/wms/warehouses/:warehouse_id/locations/:code' },
      answers: NOT_FOUND,
      input: z.object({
        warehouse_id: idSchema,
        code: locationCode,
        ...locationChanges,
        blocked: z.boolean().optional(),
        reason: z.string().trim().min(1).max(200).default('-').describe('Reason why the location is blocked.'),
      }),
      output: writeOutput,
      run: ({ warehouse_id, code, blocked, reason, ...update }, context) => {
        const changes = Object.entries(update).filter(([, value]) => value !== undefined);
        return send(warehouse_id, context, {
          do: 'updateLocation',
          code,
          blocked,
          reason,
          changes: Object.fromEntries(changes.map(([member, value]) => [member, value ?? undefined])),
        });
      },
    }),
  ];
}
