/** Reading transfers: the list, one transfer with its parcels, and its history. */
import { z } from 'zod';
import { actorSchema } from '../../core/actor.js';
import { TRANSFER_STATUSES } from '../../../events/transfers/state.js';
import type { TransferQueries } from '../../../projections/transfers/queries.js';
import { businessOf } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { operation, type Operation } from '../../core/operation.js';
import { pageInput, pageOf, pageOutput, rangeOf } from '../../core/pages.js';
import { toTransfer, toTransferred, TRANSFER_VERSION, transferSchema } from './shapes.js';

const READ = {
  area: 'Warehouse Transfer',
  callers: ['client_admin', 'employee', 'auditor'],
  scopes: ['wms:read'],
  reads: ['transfers'],
} as const;
const NOT_FOUND = { 404: 'There is no such transfer.' };

export function transferReading(queries: TransferQueries): Operation[] {
  async function transferOf(id: number, business: number) {
    const transfer = await queries.byId(id, business);
    if (!transfer) throw new ApiError('TRANSFER_NOT_FOUND');
    return transfer;
  }

  return [
    operation({
      ...READ,
      name: 'transfers',
      summary: 'List transfers between warehouses',
      description: 'Lists transfers, newest first. Only `transfer` returns the parcels.',
      rest: { method: 'get', path: '/v1/warehouse-transfers' },
      input: z.object({
        status: z.enum(TRANSFER_STATUSES).optional(),
        warehouse_id: idSchema.optional().describe('Return only transfers from or to this warehouse.'),
        ...pageInput,
      }),
      output: z.object({ ...pageOutput, transfers: z.array(transferSchema) }),
      async run({ status, warehouse_id, ...page }, { caller }) {
        const filter = { status, warehouseId: warehouse_id, ...rangeOf(page) };
        const { rows, ...found } = await queries.list(filter, businessOf(caller));
        return { ...pageOf(page, found), transfers: rows.map(toTransfer) };
      },
    }),
    operation({
      ...READ,
      name: 'transfer',
      versioned: TRANSFER_VERSION,
      summary: 'Get a transfer with its parcels',
      description: 'Returns the status of the transfer and of each parcel.',
      rest: { method: 'get', path: '/v1/warehouse-transfers/:transfer_id' },
      answers: NOT_FOUND,
      input: z.object({ transfer_id: idSchema }),
      output: z.object({ result: z.boolean(), transfer: transferSchema }),
      async run({ transfer_id }, { caller }) {
        const transfer = await transferOf(transfer_id, businessOf(caller));
        return { result: true, transfer: { ...toTransfer(transfer), parcels: toTransferred(transfer.packages) } };
      },
    }),
    operation({
      ...READ,
      name: 'transferAudit',
      summary: 'List the events of a transfer with their actors',
      description: 'Returns the audit trail of the transfer, oldest event first.',
      rest: { method: 'get', path: '/v1/warehouse-transfers/:transfer_id/audit' },
      answers: NOT_FOUND,
      input: z.object({ transfer_id: idSchema }),
      output: z.object({
        result: z.boolean(),
        transfer_id: z.int(),
        events: z
          .array(
            z
              .object({
                event_id: z.string(),
                type: z.string(),
                timestamp: z.string(),
                actor: actorSchema,
                details: z.record(z.string(), z.unknown()),
              })
              .meta({ id: 'TransferEvent' }),
          )
          .describe('Events, oldest first.'),
      }),
      async run({ transfer_id }, { caller }) {
        await transferOf(transfer_id, businessOf(caller));
        const events = (await queries.history(transfer_id)).map(({ event_id, type, recorded_at, actor, data }) => ({
          event_id,
          type,
          timestamp: recorded_at,
          actor: { ...actor },
          details: data,
        }));
        return { result: true, transfer_id, events };
      },
    }),
  ];
}
