/**
 * Determines the subtrees of a proof (RFC 9162, 2.1.3.1 and 2.1.4.1), and verifies proofs (2.1.3.2 and 2.1.4.2). Sizes
 * and indexes may exceed 32 bits, so the code uses arithmetic instead of bit shifts.
 */
import { nodeHash } from './merkle.js';

/** Consecutive leaves (`end` is exclusive) that have one Merkle tree hash. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans of an inclusion proof of leaf `index` in the tree of `size` leaves, from the leaf's sibling upwards. */
export function inclusionSpans(index: number, size: number): Span[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`There is no leaf ${index} in a tree of ${size}.`);
  return path(index, { start: 0, end: size });
}

function path(index: number, { start, end }: Span): Span[] {
  if (end - start === 1) return [];
  const middle = start + halfOf(end - start);
  return index < middle
    ? [...path(index, { start, end: middle }), { start: middle, end }]
    : [...path(index, { start: middle, end }), { start, end: middle }];
}

/** Spans of a proof that the tree of `second` leaves begins with that of `first`. */
export function consistencySpans(first: number, second: number): Span[] {
  if (!(first >= 1 && first <= second))
    throw new RangeError(`A tree of ${second} leaves cannot begin with a tree of ${first} leaves.`);
  return subproof(first, { start: 0, end: second }, true);
}

function subproof(first: number, { start, end }: Span, known: boolean): Span[] {
  if (first === end) return known ? [] : [{ start, end }];
  const middle = start + halfOf(end - start);
  return first <= middle
    ? [...subproof(first, { start, end: middle }, known), { start: middle, end }]
    : [...subproof(first, { start: middle, end }, false), { start, end: middle }];
}

/** The largest power of two below `size`, which is at least 2. */
function halfOf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** A tree of 2^height leaves, the first of them at index * 2^height. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The full subtrees that a span of a proof, or a whole tree, consists of: the largest first. */
export function subtreesOf({ start, end }: Span): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let at = start, width; at < end; at += width) {
    let height = 0;
    for (width = 1; at % (width * 2) === 0 && at + width * 2 <= end; width *= 2) height++;
    subtrees.push({ height, index: at / width });
  }
  return subtrees;
}

const half = (number: number): number => Math.floor(number / 2);
const isOdd = (number: number): boolean => number % 2 === 1;

export interface Inclusion {
  readonly leaf: Buffer;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Buffer[];
  readonly root: Buffer;
}

/** Whether the leaf with this hash is at `index` of the tree with this root (RFC 9162, 2.1.3.2). */
export function verifyInclusion({ leaf, index, size, proof, root }: Inclusion): boolean {
  if (!(index >= 0 && index < size)) return false;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(sibling, hash);
      for (; !isOdd(at) && at !== 0; at = half(at)) last = half(last);
    } else {
      hash = nodeHash(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && hash.equals(root);
}

export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Buffer;
  readonly secondRoot: Buffer;
  readonly proof: readonly Buffer[];
}

/** Whether the second tree is the first one with leaves appended to it (RFC 9162, 2.1.4.2). */
export function verifyConsistency({ first, second, firstRoot, secondRoot, proof }: Consistency): boolean {
  if (!(first >= 1 && first <= second)) return false;
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot);
  const [begin, ...rest] = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof;
  if (!begin || proof.length === 0) return false;
  let [at, last] = [first - 1, second - 1];
  for (; isOdd(at); at = half(at)) last = half(last);
  let [before, after] = [begin, begin];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      [before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)];
      for (; !isOdd(at) && at !== 0; at = half(at)) last = half(last);
    } else {
      after = nodeHash(after, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && before.equals(firstRoot) && after.equals(secondRoot);
}

function isPowerOfTwo(number: number): boolean {
  return number === 1 || halfOf(number) * 2 === number;
}
