/** Names of drivers beside their ids, for who may know them. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import type { Caller } from '../../core/callers.js';

/** A contractor names drivers by their ids alone: any id would tell whose it is. */
export const createDriverNames =
  (accounts: Pick<AccountQueries, 'byIds'>) =>
  async ({ role }: Caller, ids: readonly (number | null)[]): Promise<ReadonlyMap<number, string | undefined>> => {
    const asked = role === 'broker' ? [] : ids.filter((id) => id !== null);
    return new Map((await accounts.byIds([...new Set(asked)])).map(({ id, name }) => [id, name]));
  };
