/** Reads and decrypts the orders that a viewer may see. */
import type { Kysely } from 'kysely';
import type { KeyRing } from '../../events/core/codec.js';
import { orderSubject } from '../../events/orders/events.js';
import type { Database } from '../core/database.js';
import { openOrder, type Order } from './order.js';
import type { OrderRow } from './row.js';
import { mayBeSeen, type OrderViewer } from './viewer.js';

export class ReadableOrders {
  constructor(
    readonly database: Kysely<Database>,
    private readonly keyRing: KeyRing,
  ) {}

  seenBy(viewer: OrderViewer) {
    return this.database.selectFrom('orders.orders').where((where) => mayBeSeen(where, viewer));
  }

  async open(rows: readonly OrderRow[]): Promise<Order[]> {
    const keys = await this.keyRing.existing(rows.map(({ id }) => orderSubject(id)));
    return rows.map((row) => openOrder(row, keys));
  }

  async byIds(ids: readonly number[], viewer: OrderViewer): Promise<ReadonlyMap<number, Order>> {
    const rows = await this.seenBy(viewer)
      .selectAll()
      .where('id', 'in', [-1, ...ids])
      .execute();
    return new Map((await this.open(rows)).map((order) => [order.id, order]));
  }
}
