/**
 * The right edge of the log's tree in tiles (https://c2sp.org/tlog-tiles): where leaves are added. Tiles have 256
 * hashes, of subtrees of 256^level leaves.
 */
import { MerkleTree } from '../../events/tree/merkle.js';
import { START, type Position } from '../../events/core/log.js';
import { subtreesOf } from '../../events/tree/merkle-proofs.js';

export const TILE_WIDTH = 256;

export interface Tile {
  readonly level: number;
  /** In its level, from 0. */
  readonly index: number;
  /** 1 to 256, 32 bytes each; a tile only ever grows at its end. */
  readonly hashes: Buffer[];
  /** Of the last event in it; START above level 0. */
  lastPosition: Position;
}

/** The hash of the tree whose neighbouring subtrees, as many as a power of two, have these hashes. */
export function joined(hashes: readonly Buffer[]): Buffer {
  const tree = new MerkleTree();
  for (const hash of hashes) tree.append(hash);
  return tree.root();
}

/** Hashes of 32 bytes each. */
export const splitHashes = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / 32 }, (_, index) => bytes.subarray(index * 32, index * 32 + 32));

export class TileEdge {
  readonly #last: Tile[] = [];
  readonly #changed = new Set<Tile>();

  /** `last`: the last tile of each level, if there is one. */
  constructor(last: readonly Tile[] = []) {
    for (const tile of last) this.#last[tile.level] = tile;
  }

  /** Leaves. */
  get size(): number {
    const tile = this.#last[0];
    return tile ? tile.index * TILE_WIDTH + tile.hashes.length : 0;
  }

  /** Tiles that grew since the edge was made. */
  get changed(): readonly Tile[] {
    return [...this.#changed];
  }

  /** The current tree, to continue from or to take the root of. */
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
