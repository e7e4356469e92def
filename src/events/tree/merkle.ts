/**
 * Merkle tree hashing of RFC 9162 (Certificate Transparency 2.0), section 2.1.1, with SHA-256. The tree is extended
 * leaf by leaf, and stored as a compact range: the roots of its full subtrees, at most one for each bit of its size.
 */
import { createHash, hash } from 'node:crypto';

const NODE = Buffer.of(1);

/** The hash of a leaf: SHA-256 of a zero byte and the leaf, text as UTF-8. 32 bytes. */
export function leafHash(leaf: string | Uint8Array): Buffer {
  return hash('sha256', typeof leaf === 'string' ? `\0${leaf}` : Buffer.concat([Buffer.of(0), leaf]), 'buffer');
}

/** The hash of an inner node: SHA-256 of a one byte and the hashes of its children. 32 bytes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** The root of the empty tree: SHA-256 of no bytes. */
const EMPTY_ROOT = hash('sha256', '', 'buffer');

export class MerkleTree {
  #size: number;
  /** Roots of the full subtrees, the largest first. */
  readonly #peaks: Buffer[];

  /** An empty tree, or the tree of `size` leaves with these `peaks`. */
  constructor(size = 0, peaks: readonly Buffer[] = []) {
    if (!Number.isSafeInteger(size) || size < 0 || peaks.length !== ones(size))
      throw new RangeError(`A tree of ${size} leaves does not have ${peaks.length} full subtrees.`);
    this.#size = size;
    this.#peaks = [...peaks];
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Roots of the full subtrees, from which the tree can be continued. */
  get peaks(): readonly Buffer[] {
    return [...this.#peaks];
  }

  /** Adds a leaf by its hash (`leafHash`). */
  append(leaf: Buffer): void {
    let node = leaf;
    // Joins the new subtree with each full subtree of the same height.
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) node = nodeHash(this.#peaks.pop()!, node);
    this.#peaks.push(node);
    this.#size += 1;
  }

  /** The Merkle tree hash of all leaves so far. 32 bytes. */
  root(): Buffer {
    return this.#peaks.length === 0 ? EMPTY_ROOT : this.#peaks.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** Number of 1 bits in an integer of up to 53 bits. */
const ones = (size: number): number => size.toString(2).replaceAll('0', '').length;
