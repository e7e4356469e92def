/** The error of a label order for which no rate fits. */
import { ApiError } from '../../core/errors.js';
import type { RateError } from './ask-carriers.js';
import { shownCode } from './carrier-codes.js';

/** No rate fits. `errors`: why carriers have none. A customer does not get the codes of carriers. */
export const noRate = (errors: readonly RateError[] = [], isCustomer = true): ApiError =>
  new ApiError('NO_RATE', {
    says: 'NO_CARRIER_RATE',
    members: {
      carrier_errors: distinct(
        errors.map(({ accountId, code, retryable }) => ({
          accountId,
          code: shownCode(code, { isCustomer }),
          retryable,
        })),
      ).map(({ accountId, code, retryable }) => ({ carrier_account_id: accountId, code, retryable })),
    },
  });

/** One error for each account and code. */
export const distinct = (errors: readonly RateError[]): RateError[] => [
  ...new Map(errors.map((one) => [`${one.accountId} ${one.code} ${one.text ?? ''}`, one])).values(),
];
