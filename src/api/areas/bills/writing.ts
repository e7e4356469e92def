/** Common parts of the operations that change a bill. */
import { isPositive } from '../../../events/core/money.js';
import { ApiError } from '../../core/errors.js';

export const BILL_WRITE = {
  area: 'Billing',
  risk: 'high',
  writes: true,
  awaits: ['bills', 'orders', 'wallets', 'wallet_entries', 'ledger'],
  returns: { read: 'bill' },
} as const;

/** Throws INVALID_INPUT for zero and negative amounts. */
export function mustBePositive(amount: string): void {
  if (!isPositive(amount))
    throw new ApiError('INVALID_INPUT', {
      errors: [
        {
          field: 'amount',
          path: '/amount',
          code: 'TOO_SMALL',
          says: 'FORM_ASKED',
          params: { form: 'an amount greater than zero' },
        },
      ],
    });
}
