/**
 * Figures of a test: durations and percentiles. A test prints them but asserts none, because they depend on the
 * machine. With VERIFY=1, on an otherwise idle machine, a figure above its limit is a failure.
 */
import { isFullDepth } from './depth.js';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB';
  /** The highest value that passes with VERIFY=1. */
  readonly limit?: number;
}

export class Figures {
  readonly #lines: string[] = [];
  readonly #isJudging: boolean;

  constructor(isJudging = isFullDepth) {
    this.#isJudging = isJudging;
  }

  /** Records a figure. Throws if figures are checked and this one is above its limit. */
  add({ name, value, unit, limit }: Figure): void {
    const most = limit === undefined ? '' : ` (limit ${limit.toFixed()} ${unit})`;
    const line = `${name}: ${value.toFixed()} ${unit}${most}`;
    this.#lines.push(line);
    if (this.#isJudging && limit !== undefined && value > limit) throw new Error(`Above its limit: ${line}`);
  }

  /** Records a line that is not checked. */
  say(line: string): void {
    this.#lines.push(line);
  }

  /** Prints all lines and clears them. */
  print(): void {
    for (const line of this.#lines.splice(0)) console.log(`      ${line}`);
  }
}
