/** Names of drivers, for callers who may know them. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { Caller } from '../../core/callers.js';

/** Contractors get no names. Otherwise they could look up the name for any driver id. */
export const createDriverNames =
  (accounts: Pick<AccountQueries, 'byIds'>) =>
  async ({ role }: Caller, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string | undefined>> => {
    const visibleIds = role === 'broker' ? [] : ids.filter((id) => id !== null);
    return new Map((await accounts.byIds([...new Set(visibleIds)])).map(({ id, name }) => [id, name]));
  };
