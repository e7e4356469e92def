/** The sender and recipient addresses that labels show. */
import type { Stop } from '../../../events/orders/events.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { Order } from '../../../projections/orders/queries.js';
import type { Parts } from '../../core/parts.js';

/** An address; unknown parts are absent. */
export type LabelAddress = Partial<
  Pick<Stop, 'name' | 'company' | 'phone' | 'street' | 'street_2' | 'city' | 'region' | 'postal_code' | 'country'>
>;

export interface LabelAddresses {
  readonly from: LabelAddress;
  readonly to: LabelAddress;
}

export interface LabelAddressesOptions extends Parts<'warehouses'> {
  readonly accounts: Pick<AccountQueries, 'business'>;
}

/**
 * Returns the label addresses for orders of one business. Deliveries show the sender address of the business, to which
 * returns go, else the order's warehouse. Pick-ups go to the order's warehouse, else to the sender address. If neither
 * is known, only the name of the business is shown.
 */
export async function createLabelAddresses(
  { accounts, warehouses }: LabelAddressesOptions,
  orders: readonly Order[],
  business: number,
): Promise<(order: Order) => LabelAddresses> {
  const found = await accounts.business(business);
  const sites = new Map<number | null, LabelAddress>();
  for (const id of new Set(orders.map(({ warehouse_id }) => warehouse_id))) {
    const site = id === null ? undefined : await warehouses.byId(id, business);
    // The address of an erased warehouse has no street, so nothing can be sent to it.
    if (id !== null && site?.address?.street !== undefined)
      sites.set(id, { ...(site.name && { name: site.name }), ...(found && { company: found.name }), ...site.address });
  }
  const name: LabelAddress = found ? { company: found.name } : {};
  return ({ pickup, delivery, warehouse_id }) => {
    const site = sites.get(warehouse_id);
    return { from: pickup ?? found?.sender ?? site ?? name, to: delivery ?? site ?? found?.sender ?? name };
  };
}
