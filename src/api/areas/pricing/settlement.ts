/** How a customer settles a new price: outside of the service, if the business hides prices of the family. */
import type { Settlement } from '../../../events/bill/events.js';
import type { Family } from '../../../events/pricing/families.js';
import type { CustomerTermsQueries } from '../../../projections/customer-terms/read-model.js';

/** `customerId`: null or undefined if the order belongs to no customer. */
export type SettlementOf = (customerId: number | null | undefined, family: Family) => Promise<Settlement>;

export const createSettlementOf =
  (terms: Pick<CustomerTermsQueries, 'ofFamily'>): SettlementOf =>
  async (customerId, family) => {
    if (customerId === null || customerId === undefined) return 'online';
    return (await terms.ofFamily(customerId, family)).hidden ? 'offline' : 'online';
  };
