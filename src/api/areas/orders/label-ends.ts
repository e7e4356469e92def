/** From where a parcel goes, and to where, as its label says it. */
import type { Stop } from '../../../events/orders/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Parts } from '../../core/parts.js';

/** An address as far as it is known. */
export type LabelAddress = Partial<
  Pick<Stop, 'name' | 'company' | 'phone' | 'street' | 'street_2' | 'city' | 'region' | 'postal_code' | 'country'>
>;

export interface LabelEnds {
  readonly from: LabelAddress;
  readonly to: LabelAddress;
}

export interface LabelEndsOptions extends Parts<'warehouses'> {
  readonly accounts: Pick<AccountQueries, 'business'>;
}

/**
 * The ends of orders of one business. What it sends comes from its own address, since that is where returns go, else
 * from the order's warehouse. What it collects goes to the order's warehouse, else to its own address. Where neither is
 * known, its name is all there is to say.
 */
export async function labelEnds(
  { accounts, warehouses }: LabelEndsOptions,
  orders: readonly Order[],
  business: number,
): Promise<(order: Order) => LabelEnds> {
  const found = await accounts.business(business);
  const sites = new Map<number | null, LabelAddress>();
  for (const id of new Set(orders.map(({ warehouse_id }) => warehouse_id))) {
    const site = id === null ? undefined : await warehouses.byId(id, business);
    // Of an erased one the street is gone: nothing can be brought there.
    if (id !== null && site?.address?.street !== undefined)
      sites.set(id, { ...(site.name && { name: site.name }), ...(found && { company: found.name }), ...site.address });
  }
  const name: LabelAddress = found ? { company: found.name } : {};
  return ({ pickup, delivery, warehouse_id }) => {
    const site = sites.get(warehouse_id);
    return { from: pickup ?? found?.sender ?? site ?? name, to: delivery ?? site ?? found?.sender ?? name };
  };
}
