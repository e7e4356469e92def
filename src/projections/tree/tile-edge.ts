/**
 * The right edge of the log's tree, where leaves are added, in tiles (https://c2sp.org/tlog-tiles). A tile has up to
 * 256 hashes; each represents a subtree of 256^level leaves.
 */
import { MerkleTree } from '../../events/tree/merkle.js';
import { START, type Position } from '../../events/core/log.js';
import { subtreesOf } from '../../events/tree/merkle-proofs.js';

export const TILE_WIDTH = 256;

export interface Tile {
  readonly level: number;
  /** Index in its level, from 0. */
  readonly index: number;
  /** 1 to 256 hashes of 32 bytes each. A tile only grows at its end. */
  readonly hashes: Buffer[];
  /** Position of the last event in the tile; START above level 0. */
  lastPosition: Position;
}

/** The root hash of adjacent subtrees with these hashes. Their number must be a power of two. */
export function joined(hashes: readonly Buffer[]): Buffer {
  const tree = new MerkleTree();
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}

/** Splits bytes into hashes of 32 bytes each. */
export const splitHashes = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / 32 }, (_, index) => bytes.subarray(index * 32, index * 32 + 32));

export class TileEdge {
  readonly #last: Tile[] = [];
  readonly #changed = new Set<Tile>();

  /** `last`: the last tile of each level that has one. */
  constructor(last: readonly Tile[] = []) {
    for (const tile of last) this.#last[tile.level] = tile;
  }

  /** Number of leaves. */
  get size(): number {
    const tile = this.#last[0];
    return tile ? tile.index * TILE_WIDTH + tile.hashes.length : 0;
  }

  /** Tiles that have grown since the edge was created. */
  get changed(): readonly Tile[] {
    return [...this.#changed];
  }

  /** The current tree, for appending leaves or for calculating the root. */
  tree(): MerkleTree {
    const peaks = this.#last
      .toReversed()
      .flatMap(({ hashes }) =>
        hashes.length === TILE_WIDTH
          ? []
          : subtreesOf({ start: 0, end: hashes.length }).map(({ height, index }) =>
              joined(hashes.slice(index * 2 ** height, (index + 1) * 2 ** height)),
            ),
      );
    return new MerkleTree(this.size, peaks);
  }

  append(leaf: Buffer, position: Position): void {
    this.#add(0, leaf, position);
  }

  #add(level: number, hash: Buffer, position: Position): void {
    let tile = this.#last[level];
    if (!tile || tile.hashes.length === TILE_WIDTH)
      this.#last[level] = tile = { level, index: tile ? tile.index + 1 : 0, hashes: [], lastPosition: position };
    tile.hashes.push(hash);
    tile.lastPosition = position;
    this.#changed.add(tile);
    if (tile.hashes.length === TILE_WIDTH) this.#add(level + 1, joined(tile.hashes), START);
  }
}
