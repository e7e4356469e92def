/** Maps skills and places to the numbers that the solver uses. */
import type { Position } from '../../../solvers/distances/distances.js';

export class SkillNumbers {
  private readonly known = new Map<string, number>();

  /** The number of a code. */
  of(code: string): number {
    if (!this.known.has(code)) this.known.set(code, this.known.size);
    return this.known.get(code)!;
  }
}

export class PlaceNumbers {
  readonly all: Position[] = [];
  private readonly known = new Map<string, number>();

  /** The number of a place; equal positions have the same number. */
  of(position: Position): number {
    const key = `${position.latitude} ${position.longitude}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.all.length);
    return this.all.push(position) - 1;
  }
}
