/** Amounts of money in requests and responses. */
import { z } from 'zod';
import { exact, moneySchema, TooPrecise, type Money } from '../../events/core/money.js';
import { invalidForm } from './errors.js';

export const rewardInput = z
  .strictObject(moneySchema.shape)
  .meta({ id: 'MoneyInput' })
  .optional()
  .describe('For display only: the service makes no payment.');
export const rewardShown = z
  .object({ amount: z.string(), currency: z.string() })
  .meta({ id: 'Money' })
  .nullable()
  .describe('For display only: the service makes no payment.');

/** The amount with exactly the decimal places of its currency. Throws INVALID_INPUT for more decimal places. */
export function exactReward(reward: Money): Money {
  try {
    return exact(reward);
  } catch (error) {
    throw error instanceof TooPrecise
      ? invalidForm('amount', 'at most as many decimals as the currency has', '/reward/amount')
      : error;
  }
}
