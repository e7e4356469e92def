/**
 * A deterministic random generator. Each input depends only on the seed and its own number, so a single input can be
 * repeated.
 */

export interface Random {
  /** Returns an integer from 0 (inclusive) to `count` (exclusive). */
  readonly below: (count: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Returns true with probability 1 in `times`. */
  readonly oneIn: (times: number) => boolean;
}

/** Mulberry32, seeded with a mix of the seed and the number of the input. */
export function randomOf(seed: number, index: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return { below, pick: (list) => list[below(list.length)]!, oneIn: (times) => below(times) === 0 };
}
