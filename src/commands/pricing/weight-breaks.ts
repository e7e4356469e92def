/** The weight breaks of a service in a lane. */
import { decimal, type Decimal } from '../../events/core/money.js';
import type { WeightBreak } from '../../events/pricing/bases.js';
import type { Basis } from '../../events/pricing/outcome.js';
import { measureDecimal, measureText, thousandths } from './measures.js';

export interface Cell {
  /** Rounded. */
  readonly amount: Decimal;
  readonly basis: Basis;
}

type OpenBreak = Extract<WeightBreak, { above_kg: number }>;

export class WeightBreaks {
  /** In thousandths of a kilogram, ascending. */
  private readonly bounds: number[] = [];
  private readonly amounts: string[] = [];
  /** Cells that were used, because parsing an amount takes longer than finding it. */
  private readonly cells: Cell[] = [];
  private readonly open: OpenBreak | undefined;

  constructor(
    breaks: readonly WeightBreak[],
    private readonly digits: number,
  ) {
    for (const one of breaks)
      if ('up_to_kg' in one) {
        this.bounds.push(thousandths(one.up_to_kg));
        this.amounts.push(one.amount);
      } else this.open = one;
  }

  /** The break of a weight in thousandths; undefined: the weight is above the last break. */
  find(weight: number): Cell | undefined {
    const at = firstAtLeast(this.bounds, weight);
    if (at < this.bounds.length) return (this.cells[at] ??= this.closedCell(at));
    return this.open && this.openCell(this.open, weight);
  }

  private closedCell(at: number): Cell {
    return {
      amount: decimal(this.amounts[at]!).round(this.digits),
      basis: { up_to_kg: measureText(this.bounds[at]!) },
    };
  }

  private openCell({ above_kg, base, per_kg }: OpenBreak, weight: number): Cell {
    const above = measureDecimal(weight - thousandths(above_kg));
    return {
      amount: decimal(base).plus(above.times(per_kg)).round(this.digits),
      basis: { above_kg: String(above_kg), base, per_kg },
    };
  }
}

/** Index of the first bound that is at least the value. */
export function firstAtLeast(bounds: readonly number[], value: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
