/** Changes of accounts that compare all accounts of the business: their number, and their ranges of numbers. */
import { TurnTooLate, type OnePerBusiness } from '../../../engines/postgres/one-per-business.js';
import { overlap } from '../../../events/carrier-accounts/numbers.js';
import type { NumberQueries } from '../../../projections/carrier-accounts/numbers.js';
import type { CarrierAccountQueries } from '../../../projections/carrier-accounts/queries.js';
import { ApiError } from '../../core/errors.js';
import type { ChangingOptions } from './changing.js';

const MAX_ACCOUNTS = 200;

export interface ExclusiveOptions {
  readonly onePerBusiness: OnePerBusiness;
  /** Waits until the read models contain all events of the log. */
  readonly waitUntilCurrent: () => Promise<boolean>;
  readonly queries: Pick<CarrierAccountQueries, 'byId' | 'count'>;
  readonly numbers: Pick<NumberQueries, 'ofBusiness'>;
}

/** Throws UNAVAILABLE in addition to the errors of `ChangingOptions.exclusively`. */
export function createExclusively({
  onePerBusiness,
  waitUntilCurrent,
  queries,
  numbers,
}: ExclusiveOptions): ChangingOptions['exclusively'] {
  return async ({ business, accountId, isNew, range }, change) => {
    try {
      return await onePerBusiness(business, async () => {
        if (!(await waitUntilCurrent())) throw unavailable();
        // A repeated request has already added its account.
        const isAdded = isNew && (await queries.byId(accountId, business)) !== undefined;
        if (isNew && !isAdded && (await queries.count(business)) >= MAX_ACCOUNTS)
          throw new ApiError('TOO_MANY_CARRIER_ACCOUNTS', { params: { max: MAX_ACCOUNTS } });
        const others = range
          ? (await numbers.ofBusiness(business)).filter((one) => one.carrier_account_id !== accountId)
          : [];
        if (others.some(({ ranges }) => ranges.some((one) => overlap(one, range!)))) throw new ApiError('NUMBERS_IN_USE');
        return await change();
      });
    } catch (error) {
      throw error instanceof TurnTooLate ? unavailable(error) : error;
    }
  };
}

const unavailable = (cause?: unknown): ApiError =>
  new ApiError('UNAVAILABLE', { headers: { 'Retry-After': '5' }, isByDesign: true, cause });
