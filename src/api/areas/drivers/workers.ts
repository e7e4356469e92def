/** Checks for contractors and drivers of a business, by user id. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { MAX_ID } from '../../core/ids.js';

type Accounts = Pick<AccountQueries, 'holder'>;

/** Whether the business has an active contractor with this id. False for contractors of other businesses. */
export const hasContractor = (accounts: Accounts, business: number, id: number): Promise<boolean> =>
  hasWorker(accounts, 'broker', business, id);
export const hasDriver = (accounts: Accounts, business: number, id: number): Promise<boolean> =>
  hasWorker(accounts, 'driver', business, id);

async function hasWorker(
  accounts: Accounts,
  role: 'broker' | 'driver',
  business: number,
  id: number,
): Promise<boolean> {
  const holder = id > 0 && id <= MAX_ID ? await accounts.holder(id) : undefined;
  return holder?.role === role && holder.businessId === business;
}
