/** Ranges of postal codes: finds the first zone that contains a code by binary search. */
interface Range {
  readonly from: string;
  readonly to: string;
  readonly zone: number;
}

/** The bounds of all ranges divide the codes into cells: each bound is a cell, and each space between two bounds. */
interface Cells {
  readonly bounds: readonly string[];
  /** Zone of each cell: of bound i at 2 × i, of the space after it at 2 × i + 1. */
  readonly zones: readonly (number | undefined)[];
}

/** A code is compared only with ranges of its length, by characters. */
export class PostalRanges {
  private readonly byLength = new Map<number, Range[]>();
  private readonly cells = new Map<number, Cells>();

  /** Ranges are added in the order of their zones. */
  add(from: string, to: string, zone: number): void {
    const ranges = this.byLength.get(from.length) ?? [];
    ranges.push({ from, to, zone });
    this.byLength.set(from.length, ranges);
    this.cells.delete(from.length);
  }

  find(code: string): number | undefined {
    const ranges = this.byLength.get(code.length);
    if (!ranges) return undefined;
    const { bounds, zones } = this.cells.get(code.length) ?? this.divide(code.length, ranges);
    const at = lastAtMost(bounds, code);
    if (at < 0) return undefined;
    return zones[bounds[at] === code ? 2 * at : 2 * at + 1];
  }

  private divide(length: number, ranges: readonly Range[]): Cells {
    const bounds = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort();
    const zones = new Array<number | undefined>(2 * bounds.length).fill(undefined);
    for (const { from, to, zone } of ranges)
      for (let cell = 2 * lastAtMost(bounds, from); cell <= 2 * lastAtMost(bounds, to); cell += 1) zones[cell] ??= zone;
    const cells = { bounds, zones };
    this.cells.set(length, cells);
    return cells;
  }
}

/** Index of the last bound that is at most the code; -1 if there is none. */
function lastAtMost(bounds: readonly string[], code: string): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! <= code) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
