/** Checks the users whom a caller puts into a fleet. */
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { businessOf, type Caller } from '../../core/callers.js';
import { ApiError } from '../../core/errors.js';

export const createExpectMembers =
  (accounts: Pick<AccountQueries, 'holder'>) =>
  /**
   * Throws UNKNOWN_MEMBER unless each id is an active user of the business with one of the roles, and in `allowedIds`.
   */
  async (
    caller: Caller,
    ids: readonly number[],
    roles: readonly string[],
    allowedIds?: ReadonlySet<number>,
  ): Promise<void> => {
    const holders = await Promise.all(ids.map((id) => accounts.holder(id)));
    const unknown = ids.filter((id, index) => {
      const holder = holders[index];
      const fits = holder?.businessId === businessOf(caller) && roles.includes(holder.role);
      return !fits || !(allowedIds?.has(id) ?? true);
    });
    if (unknown.length > 0) throw new ApiError('UNKNOWN_MEMBER', { params: { ids: unknown.slice(0, 20).join(', ') } });
  };
