/** The customer whose prices a request is about. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { UserCaller } from '../../core/callers.js';
import { invalidField } from '../../core/errors.js';

/** Null: the request of staff names no customer. Customers get only their own prices. Throws INVALID_INPUT. */
export type CustomerOf = (given: number | undefined, caller: UserCaller) => Promise<number | null>;

export const createCustomerOf =
  (accounts: Pick<AccountQueries, 'holder'>): CustomerOf =>
  async (given, caller) => {
    if (caller.role === 'customer') {
      if (given !== undefined && given !== caller.userId) throw invalidField('UNKNOWN_CUSTOMER', 'customer_id');
      return caller.userId;
    }
    if (given === undefined) return null;
    const found = await accounts.holder(given);
    if (found?.role !== 'customer' || found.businessId !== caller.businessId)
      throw invalidField('UNKNOWN_CUSTOMER', 'customer_id');
    return given;
  };
