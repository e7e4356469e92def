/** Amounts of money in requests and responses. */
import { z } from 'zod';
import {
  compare,
  digitsOf,
  exact,
  smallestAmount,
  moneySchema,
  TooPrecise,
  type Money,
} from '../../events/core/money.js';
import { ApiError, fieldError, fieldOf } from './errors.js';

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

/**
 * The money with exactly the decimal digits of its currency. `path`: JSON Pointer of the amount. Throws TOO_PRECISE for
 * more digits.
 */
export function exactMoney(money: Money, path: string): Money {
  try {
    return exact(money);
  } catch (error) {
    throw tooPreciseAt(path)(error);
  }
}

/** Converts the error of an amount that a decider compares with the currency of its stream. `path`: of the amount. */
export const tooPreciseAt =
  (path: string) =>
  (error: unknown): unknown =>
    error instanceof TooPrecise
      ? fieldError('TOO_PRECISE', fieldOf(path), { currency: error.currency, digits: digitsOf(error.currency) }, path)
      : error;

/** As `exactMoney`, for an amount that must be at least `min`. Absent: greater than zero. */
export function exactAtLeast(money: Money, path: string, min = smallestAmount(money.currency)): Money {
  const given = exactMoney(money, path);
  if (compare(given.amount, min) < 0)
    throw new ApiError('INVALID_INPUT', {
      errors: [{ field: fieldOf(path), path, code: 'TOO_SMALL', params: { min } }],
    });
  return given;
}

/** As `exactAtLeast`, for an amount that is also limited. */
export function exactBetween(money: Money, path: string, [min, max]: readonly [min: string, max: string]): Money {
  const given = exactAtLeast(money, path, min);
  if (compare(given.amount, max) > 0)
    throw new ApiError('INVALID_INPUT', { errors: [{ field: fieldOf(path), path, code: 'TOO_BIG', params: { max } }] });
  return given;
}

export const exactReward = (reward: Money): Money => exactMoney(reward, '/reward/amount');
