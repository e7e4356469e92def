/**
 * Figures of a test: durations and percentiles. A test prints them and asserts none, since they depend on the machine.
 * With VERIFY=1, on a machine that does nothing else, a figure above its limit is a failure.
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

  /** Notes a figure. Throws when figures are judged and this one is above its limit. */
  add({ name, value, unit, limit }: Figure): void {
    const most = limit === undefined ? '' : ` (limit ${limit.toFixed()} ${unit})`;
    const line = `${name}: ${value.toFixed()} ${unit}${most}`;
    this.#lines.push(line);
    if (this.#isJudging && limit !== undefined && value > limit) throw new Error(`Above its limit: ${line}`);
  }

  /** Notes a line without a judgement. */
  say(line: string): void {
    this.#lines.push(line);
  }

  /** Prints all lines and forgets them. */
  print(): void {
    for (const line of this.#lines.splice(0)) console.log(`      ${line}`);
  }
}
