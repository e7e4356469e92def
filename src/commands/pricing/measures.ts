/** Measures as integers of thousandths: exact, and faster than decimals. */
import { decimal, type Decimal } from '../../events/core/money.js';

/** The measure in thousandths, read from its decimal text. */
export function thousandths(value: number): number {
  if (Number.isInteger(value)) return value * 1_000;
  const [whole, fraction = ''] = String(value).split('.');
  return Number(whole) * 1_000 + Number(fraction.padEnd(3, '0'));
}

/** The decimal text of a number of thousandths, without trailing zeros. */
export function measureText(value: number): string {
  const fraction = value % 1_000;
  const whole = String((value - fraction) / 1_000);
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(3, '0').replace(/0+$/, '')}`;
}

export const measureDecimal = (value: number): Decimal => decimal(measureText(value));

/** Rounds a number of thousandths up to a multiple of the step. */
export function roundUp(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value - rest + step;
}
