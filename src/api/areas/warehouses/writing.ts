/** Shared parts of the operations that write to warehouses and their locations. */
import { z } from 'zod';
import type { Handle } from '../../../commands/core/handle.js';
import type { WarehouseCommand, WarehouseChange } from '../../../commands/warehouses/decider.js';
import { warehouseStream } from '../../../events/warehouses/events.js';
import { businessOf } from '../../core/callers.js';
import type { Context } from '../../core/operation.js';

export const WRITE = {
  area: 'Warehouse Mobile',
  callers: ['client_admin', 'employee'],
  scopes: ['wms:write'],
  awaits: ['warehouses'],
  writes: true,
  risk: 'medium',
} as const;
export const NOT_FOUND = { 404: 'The business has no such warehouse, and no partner grants it.' };
export const writeOutput = z.object({ result: z.boolean() });

/** Sends a command to a warehouse of the caller's business. */
export const createSend =
  (handle: Handle<WarehouseCommand, string | undefined>) =>
  async (id: number, { caller, commandId, cause, wrote }: Context, change: WarehouseChange) => {
    const command = { ...change, id, business: businessOf(caller), commandId };
    wrote((await handle(warehouseStream(id), command, cause)).position);
    return { result: true, warehouse_id: id };
  };
