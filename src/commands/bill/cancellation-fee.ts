/** The fee of the rate card for a late cancellation by the customer. */
import { isPositive, rounded, times } from '../../events/core/money.js';
import { least, type Bill } from '../../events/bill/state.js';
import type { Charges } from './command.js';

const PERCENT = '0.01';

/** The charges of a cancelled order; undefined: the card has no fee. The fee is at most the price of the order. */
export function cancellationFee({ currency, total, source }: Bill): Charges | undefined {
  const fee = source?.cancellation_fee;
  if (!fee) return undefined;
  const amount = least(
    'flat' in fee ? rounded(fee.flat, currency) : rounded(times(times(total, fee.percent_of_total), PERCENT), currency),
    total,
  );
  const zero = rounded('0', currency);
  if (!isPositive(amount)) return undefined;
  return {
    currency,
    lines: [{ code: 'cancellation_fee', kind: 'cancellation_fee', amount, taxable: false }],
    subtotal: amount,
    surchargeAmount: zero,
    taxAmount: zero,
    total: amount,
  };
}
