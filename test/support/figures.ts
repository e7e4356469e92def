/**
 * Figures of a test: durations and percentiles. A test prints them but asserts none, because they depend on the
 * machine. With VERIFY=1, on an otherwise idle machine, a figure above its limit is a failure.
 */
import { isFullDepth } from './depth.js';
import { recordFigure } from './run-summary.js';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB';
  /** The highest value that passes with VERIFY=1. */
  readonly limit?: number;
}

export class Figures {
  readonly #lines: string[] = [];
  readonly #isChecked: boolean;

  constructor(isChecked = isFullDepth) {
    this.#isChecked = isChecked;
  }

  /** Records a figure. Throws if figures are checked and this one is above its limit. */
  add({ name, value, unit, limit }: Figure): void {
    const limitText = limit === undefined ? '' : ` (limit ${limit.toFixed()} ${unit})`;
    const line = `${name}: ${value.toFixed()} ${unit}${limitText}`;
    this.#lines.push(line);
    if (this.#isChecked && limit !== undefined && value > limit) throw new Error(`Above its limit: ${line}`);
  }

  /** Records a line that is not checked. */
  addLine(line: string): void {
    this.#lines.push(line);
  }

  /** Prints all lines and clears them. At full depth they are printed again in the table at the end of the run. */
  print(): void {
    for (const line of this.#lines.splice(0)) {
      console.log(`      ${line}`);
      if (isFullDepth) recordFigure(line);
    }
  }
}
