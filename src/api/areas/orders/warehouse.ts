/** An order's own warehouse, put right. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import { orderStream } from '../../../events/orders/events.js';
import type { WarehouseQueries } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import { fieldError } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import { orderId } from './input.js';
import { WRITERS } from './viewer.js';

export interface OrderWarehouseOptions {
  readonly orders: Commands['orders'];
  readonly warehouses: Pick<WarehouseQueries, 'isOpen'>;
}

export const orderWarehouse = ({ orders, warehouses }: OrderWarehouseOptions): Operation =>
  operation({
    name: 'orderWarehouse',
    tag: 'Orders',
    summary: 'Say in which warehouse an order starts (`D`) or ends (`P`).',
    description: 'It moves no package: that is what scans and transfers do.',
    rest: { method: 'put', path: '/v1/orders/:order_id/warehouse' },
    callers: WRITERS,
    scopes: ['orders:write'],
    risk: 'medium',
    writes: true,
    reads: ['warehouses'],
    awaits: ['orders'],
    answers: { 404: 'No such order, or no such warehouse.', 409: 'The order has ended.' },
    input: z.object({ order_id: orderId, warehouse_id: orderId }),
    output: z.object({ result: z.boolean(), order_id: z.int(), warehouse_id: z.int() }),
    async run({ order_id, warehouse_id }, { caller, cause, commandId, wrote }) {
      const business = businessOf(caller);
      if (!(await warehouses.isOpen(warehouse_id, business))) throw fieldError('WAREHOUSE_NOT_FOUND', 'warehouse_id');
      const command = {
        do: 'set_warehouse',
        commandId,
        orderId: order_id,
        business,
        by: userOf(caller).userId,
        warehouse: warehouse_id,
      } as const;
      wrote((await orders(orderStream(order_id), command, cause)).position);
      return { result: true, order_id, warehouse_id };
    },
  });
