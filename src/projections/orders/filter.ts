/** Filters for lists and counts of orders. */
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { OrderStatus, OrderType } from '../../events/orders/events.js';
import type { Database } from '../core/database.js';
import { filteredExceptions, type ExceptionFilter } from './exceptions.js';

export interface OrderFilter {
  readonly ids?: readonly number[] | undefined;
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
  readonly scheduledFrom?: string | undefined;
  readonly scheduledTo?: string | undefined;
  readonly orderRef?: string | undefined;
  readonly orderRefs?: readonly string[] | undefined;
  readonly routeId?: number | undefined;
  readonly customerId?: number | undefined;
  /** RFC 3339, UTC. `createdFrom` is inclusive, `createdTo` exclusive. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
  readonly exception?: boolean | undefined;
  /** Orders with such an exception, also before their present status. */
  readonly exceptions?: (ExceptionFilter & { readonly business: number }) | undefined;
}

type Orders<O> = SelectQueryBuilder<Database, 'orders.orders', O>;

export function filterOrders<O>(
  orders: Orders<O>,
  {
    ids,
    status,
    type,
    scheduledFrom,
    scheduledTo,
    orderRef,
    orderRefs,
    routeId,
    customerId,
    createdFrom,
    createdTo,
    exception,
    exceptions,
  }: OrderFilter,
): Orders<O> {
  return orders
    .$if(ids !== undefined, (q) => q.where('id', 'in', [-1, ...ids!]) as never)
    .$if(status !== undefined, (q) => q.where('status', '=', status!) as never)
    .$if(type !== undefined, (q) => q.where('type', '=', type!) as never)
    .$if(scheduledFrom !== undefined, (q) => q.where('schedule_date', '>=', scheduledFrom!) as never)
    .$if(scheduledTo !== undefined, (q) => q.where('schedule_date', '<=', scheduledTo!) as never)
    .$if(orderRef !== undefined, (q) => q.where('order_ref', '=', orderRef!) as never)
    .$if(orderRefs !== undefined, (q) => q.where('order_ref', 'in', ['', ...orderRefs!]) as never)
    .$if(routeId !== undefined, (q) => q.where('route_id', '=', routeId!) as never)
    .$if(customerId !== undefined, (q) => q.where('customer_id', '=', customerId!) as never)
    .$if(createdFrom !== undefined, (q) => q.where('created_at', '>=', createdFrom!) as never)
    .$if(createdTo !== undefined, (q) => q.where('created_at', '<', createdTo!) as never)
    .$if(exception !== undefined, (q) => q.where('exception', '=', exception!) as never)
    .$if(
      exceptions !== undefined,
      (q) =>
        q.where('id', 'in', (query) =>
          filteredExceptions(query as unknown as Kysely<Database>, exceptions!)
            .where('business', '=', exceptions!.business)
            .select('order_id'),
        ) as never,
    ) as Orders<O>;
}
