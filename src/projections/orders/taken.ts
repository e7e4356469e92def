/** Finds numbers and references that a different order already has. */
import type { Kysely } from 'kysely';
import { FINAL_STATUSES } from '../../events/orders/status.js';
import type { Database } from '../core/database.js';

/** The order that requests the number or reference, and its business. */
interface Owner {
  readonly business: number;
  readonly orderId: number;
}

/**
 * The numbers among these that refer to a different order of the business: its own tracking number, or an external
 * number of an open order.
 */
export async function takenNumbers(
  database: Kysely<Database>,
  numbers: readonly string[],
  { business, orderId }: Owner,
) {
  const rows = await database
    .selectFrom('orders.packages as p')
    .innerJoin('orders.orders as o', 'o.id', 'p.order_id')
    .select(['p.tracking_number', 'p.external_tracking_number'])
    .where('o.business', '=', business)
    .where('o.id', '!=', orderId)
    .where((where) =>
      where.or([
        where('p.tracking_number', 'in', numbers),
        where.and([where('p.external_tracking_number', 'in', numbers), where('o.status', 'not in', FINAL_STATUSES)]),
      ]),
    )
    .limit(numbers.length)
    .execute();
  const known = rows.flatMap((row) => [row.tracking_number, row.external_tracking_number]);
  return new Set(numbers.filter((number) => known.includes(number)));
}

/** Whether a different order of the business that is not cancelled has the reference. */
export async function isRefTaken(database: Kysely<Database>, ref: string, { business, orderId }: Owner) {
  const other = await database
    .selectFrom('orders.orders')
    .select('id')
    .where('business', '=', business)
    .where('order_ref', '=', ref)
    .where('id', '!=', orderId)
    .where('status', '!=', 'CANCELLED')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
