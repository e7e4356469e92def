/** The measures of one package: sides and weights in thousandths. */
import type { WeightRule } from '../../events/pricing/bases.js';
import type { PackageField } from '../../events/pricing/conditions.js';
import type { PricedPackage } from '../../events/pricing/inputs.js';
import { roundUp, thousandths } from './measures.js';

/** The calculation needs a side or the weight of this package, and the inputs do not have it. */
export class DimensionsNeeded extends Error {
  override readonly name = 'DimensionsNeeded';
  /** Index in the list of packages. */
  readonly package: number;

  constructor(index: number) {
    super(`The dimensions or the weight of package ${index} are missing`);
    this.package = index;
  }
}

/** Calculates the billable weight of packages by the rule of a card. */
export interface Weighing {
  readonly basis: WeightRule['basis'];
  readonly divisor: bigint;
  readonly roundSide: (side: number) => number;
  readonly step: number;
  readonly min: number;
}

const ROUNDINGS: Readonly<Record<NonNullable<WeightRule['side_rounding']>, Weighing['roundSide']>> = {
  none: (side) => side,
  up: (side) => roundUp(side, 1_000),
  nearest: (side) => Math.floor((side + 500) / 1_000) * 1_000,
};

export const weighingOf = (rule: WeightRule = { basis: 'actual' }): Weighing => ({
  basis: rule.basis,
  // Sides are in thousandths, and so is the result: (10³)³ / 10³.
  divisor: 1_000_000n * BigInt(rule.basis === 'actual' ? 1 : rule.divisor),
  roundSide: ROUNDINGS[rule.side_rounding ?? 'none'],
  step: thousandths(rule.step_kg ?? 0.001),
  min: thousandths(rule.min_kg ?? 0),
});

type Sides = readonly [longest: number, second: number, third: number];

/** Measures are calculated when they are needed, because most cards do not need all of them. */
export class Parcel {
  private knownSides: Sides | undefined;
  private knownBillable: number | undefined;

  constructor(
    private readonly index: number,
    private readonly input: PricedPackage,
    private readonly weighing: Weighing,
  ) {}

  get declaredValue(): string | undefined {
    return this.input.declared_value;
  }

  /** Actual weight. */
  get weight(): number {
    return this.needed(this.input.weight_kg);
  }

  get sides(): Sides {
    this.knownSides ??= this.sorted(this.input);
    return this.knownSides;
  }

  /** Volume in cubic centimetres, rounded up. */
  get volume(): number {
    return Number(quotientUp(product(this.sides), 1_000_000_000n));
  }

  get billable(): number {
    this.knownBillable ??= this.weigh();
    return this.knownBillable;
  }

  /** Value of a condition's field. */
  measureOf(field: PackageField): number {
    if (field === 'billable_kg') return this.billable;
    const [longest, second, third] = this.sides;
    if (field === 'longest_side') return longest;
    return field === 'second_side' ? second : longest + 2 * (second + third);
  }

  private weigh(): number {
    const { basis, step, min } = this.weighing;
    const actual = basis === 'volumetric' ? 0 : this.weight;
    const volumetric = basis === 'actual' ? 0 : this.volumetric();
    return Math.max(roundUp(Math.max(actual, volumetric), step), min);
  }

  /** Rounded up to a thousandth, which is exact because the step is a multiple of it. */
  private volumetric(): number {
    const { divisor, roundSide } = this.weighing;
    const [a, b, c] = this.sides;
    return Number(quotientUp(product([roundSide(a), roundSide(b), roundSide(c)]), divisor));
  }

  private sorted({ length_cm, width_cm, height_cm }: PricedPackage): Sides {
    const [a, b, c] = [this.needed(length_cm), this.needed(width_cm), this.needed(height_cm)];
    const [longest, third] = [Math.max(a, b, c), Math.min(a, b, c)];
    return [longest, a + b + c - longest - third, third];
  }

  private needed(value: number | undefined): number {
    if (value === undefined) throw new DimensionsNeeded(this.index);
    return thousandths(value);
  }
}

/** The product of two sides is a safe integer; the one of three sides is not. */
const product = ([a, b, c]: Sides): bigint => BigInt(a * b) * BigInt(c);
const quotientUp = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor;
