/** Operations for scans, and for settling refused scans. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { WarehouseCommand } from '../../../commands/warehouses/decider.js';
import { warehouseStream } from '../../../events/warehouses/events.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { scanCommandId, type ScanService, type OpStore } from './scan-service.js';
import { deviceId, OP_ACTIONS, opInput, opResultSchema, toOpResponse } from './op.js';
import { RELATIONS } from '../../core/relations.js';

/** Maximum number of scans per request. */
const MAX_OPS = 200;

const conflictSchema = opResultSchema
  .omit({ first: true })
  .extend({
    device_id: z.string(),
    scanned_by: z.int(),
    received_at: z.string(),
    scanned_at: z.string(),
    do: z.enum(OP_ACTIONS),
    scanned: z.string().describe('Scanned code, exactly as read.'),
    warehouse_id: z.int(),
    location: z.string().optional(),
    route_id: z.int().optional(),
    quantity: z.string().optional(),
  })
  .meta({ id: 'ScanConflict' })
  .register(RELATIONS, { order: 'order', warehouse: 'warehouse', route: 'route' });

export interface ScanningOptions {
  readonly service: ScanService;
  readonly store: OpStore;
  readonly warehouses: Pick<WarehouseQueries, 'isOpen'>;
  readonly handle: Handle<WarehouseCommand, string | undefined>;
}

export function scanningOperations({ service, store, warehouses, handle }: ScanningOptions): Operation[] {
  return [
    operation({
      name: 'wmsOps',
      area: 'Warehouse Mobile',
      summary: 'Submit scans: receive, put away, sort, load',
      description:
        'Processes scans of a scanner and returns a result per scan. Scans of the same thing are applied in the order of `seq`. A request can be repeated safely: each `op_id` takes effect once. Refused scans are stored until staff settle them (`wmsConflictSettle`). Each scan counts against the rate limit of writes. A driver has at most 500 unsettled scans. If a driver has reached this maximum, additional refused scans have the code `TOO_MANY_OPEN_SCANS` and are not stored. Send them again after staff have settled scans. Staff can scan everything of the business; drivers can receive, load and return parcels on their own routes.',
      rest: { method: 'post', path: '/v1/wms/mobile/ops' },
      callers: ['client_admin', 'employee', 'driver'],
      scopes: ['wms:write'],
      risk: 'medium',
      writes: true,
      reads: ['warehouses', 'orders', 'routes', 'stock'],
      awaits: ['packages_at', 'orders', 'timeline', 'stock'],
      answers: { 429: 'Too many requests or scans per second (`RATE_LIMITED`).' },
      units: ({ ops }) => ops.length,
      input: z.object({ device_id: deviceId, ops: z.array(opInput).min(1).max(MAX_OPS) }),
      output: z.object({
        result: z.boolean().describe('Whether all scans were applied, by this request or by an earlier one.'),
        results: z.array(opResultSchema).describe('Results in the order of the request.'),
        next_seq: z
          .int()
          .describe(
            'First sequence number on this device that is missing or not completed. Each user of the device has separate sequence numbers.',
          ),
      }),
      async run({ device_id, ops }, context) {
        const { caller } = context;
        const device = { business: businessOf(caller), user_id: userOf(caller).userId, device_id };
        const scanResults = await service.process(device, ops, context);
        const next_seq = await store.nextSeq(device);
        return {
          result: scanResults.every(({ result }) => result.outcome === 'applied'),
          results: scanResults.map(({ op_id, result, isDuplicate }) =>
            toOpResponse(op_id, result, context.header('accept-language'), isDuplicate),
          ),
          next_seq,
        };
      },
    }),
    operation({
      name: 'wmsConflicts',
      area: 'Warehouse Mobile',
      summary: 'List unsettled refused scans, oldest first',
      description: 'Lists scans with the outcome `conflict` or `rejected`. Settle them with `wmsConflictSettle`.',
      rest: { method: 'get', path: '/v1/wms/mobile/conflicts' },
      callers: ['client_admin', 'employee'],
      scopes: ['wms:read'],
      input: z.object({ warehouse_id: idSchema.optional(), ...pageInput }),
      output: z.object({ ...pageOutput, conflicts: z.array(conflictSchema) }),
      async run({ warehouse_id, ...page }, { caller, header }) {
        const range = { ...rangeOf(page), warehouseId: warehouse_id };
        const { ops, ...found } = await store.unsettled(businessOf(caller), range);
        return {
          ...pageOf(page, found),
          conflicts: ops.map(({ op_id, device_id, user_id, received_at, body, result }) => ({
            ...toOpResponse(op_id, result!, header('accept-language')),
            device_id,
            scanned_by: user_id,
            received_at,
            scanned_at: body.at,
            do: body.do,
            scanned: body.code,
            warehouse_id: body.warehouse_id,
            ...(body.location !== undefined && { location: body.location }),
            ...(body.route_id !== undefined && { route_id: body.route_id }),
            ...(body.quantity !== undefined && { quantity: body.quantity }),
          })),
        };
      },
    }),
    operation({
      name: 'wmsConflictSettle',
      area: 'Warehouse Mobile',
      summary: 'Apply or discard a refused scan',
      description:
        '`apply` processes the scan again with `force`, based on the current state. A scan that is refused again stays unsettled. `discard` closes it without effect.',
      rest: { method: 'post', path: '/v1/wms/mobile/conflicts/:op_id/settle' },
      callers: ['client_admin', 'employee'],
      scopes: ['wms:write'],
      risk: 'medium',
      writes: true,
      reads: ['warehouses', 'orders', 'routes', 'stock'],
      awaits: ['packages_at', 'orders', 'timeline', 'stock'],
      answers: { 404: 'There is no such unsettled scan (`SCAN_NOT_FOUND`).', 409: 'The scan is refused again.' },
      input: z.object({
        op_id: z.guid().toLowerCase(),
        device_id: deviceId,
        scanned_by: idSchema
          .optional()
          .describe('Id of the user who sent the scan. Needed only if several users sent scans with the same ids.'),
        decision: z.enum(['apply', 'discard']),
        reason: z.string().trim().min(1).max(255),
      }),
      output: z.object({ result: z.boolean(), scan: opResultSchema }),
      async run({ op_id, device_id, scanned_by, decision, reason }, context) {
        const { caller, cause, header, wrote } = context;
        const stored = await store.byId({ business: businessOf(caller), device_id, user_id: scanned_by }, op_id);
        if (!stored?.result || stored.result.outcome === 'applied' || stored.settled)
          throw new ApiError('SCAN_NOT_FOUND');
        const device = { business: businessOf(caller), device_id, user_id: stored.user_id };
        const result = decision === 'apply' ? await service.retry(device, stored, context) : stored.result;
        const id = stored.body.warehouse_id;
        // The stream of a closed warehouse, or of another business's warehouse, records no more events.
        if (await warehouses.isOpen(id, device.business)) {
          const { position } = await handle(
            warehouseStream(id),
            {
              do: 'settleScan',
              id,
              business: device.business,
              commandId: scanCommandId('settled', device, op_id, stored.rule),
              op_id,
              device_id,
              decision: decision === 'apply' ? 'applied' : 'discarded',
              reason,
              by: userOf(caller).userId,
            },
            cause,
          );
          wrote(position);
        }
        if (!cause.dryRun) await store.settle(device, op_id, result);
        return { result: true, scan: toOpResponse(op_id, result, header('accept-language')) };
      },
    }),
  ];
}
