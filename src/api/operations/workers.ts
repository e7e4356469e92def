/** People of a business who do its work, by their user id. */
import type { Account, AccountQueries } from '../../projections/account-queries.js';
import { MAX_ID } from './ids.js';

type Worker = Pick<AccountQueries, 'byId'>;

/** The business's contractor, where there is one with this id who may work; another business's is not there. */
export const contractorOf = (accounts: Worker, business: number, id: number): Promise<Account | undefined> => workerOf(accounts, 'broker', business, id);
export const driverOf = (accounts: Worker, business: number, id: number): Promise<Account | undefined> => workerOf(accounts, 'driver', business, id);

async function workerOf(accounts: Worker, role: 'broker' | 'driver', business: number, id: number): Promise<Account | undefined> {
  const account = id > 0 && id <= MAX_ID ? await accounts.byId(id) : undefined;
  return account?.role === role && account.business === business && account.status === 'active' ? account : undefined;
}
