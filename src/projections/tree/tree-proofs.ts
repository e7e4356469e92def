/** Queries on the log's tree: its size, its root at any size, tiles, and the hashes of proofs. */
import type { ClientBase, Pool } from 'pg';
import { MerkleTree, nodeHash } from '../../events/tree/merkle.js';
import {
  consistencySpans,
  inclusionSpans,
  subtreesOf,
  type Span,
  type Subtree,
} from '../../events/tree/merkle-proofs.js';
import { joined, splitHashes, TILE_WIDTH } from './tile-edge.js';

type Queryable = Pool | ClientBase;

const TILES_AT_ONCE = 64;

/** Number of leaves of the current tree. */
export async function treeSize(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ size: string }>(
    `select index * ${TILE_WIDTH} + length(hashes) / 32 as size from log_tree.tiles where level = 0 order by index desc limit 1`,
  );
  return Number(rows[0]?.size ?? 0);
}

/** The root of the first `size` leaves. The tree must have at least that many. */
export async function rootAt(db: Queryable, size: number): Promise<Buffer> {
  return size === 0 ? new MerkleTree().root() : (await hashesOf(db, [{ start: 0, end: size }]))[0]!;
}

export const inclusionProof = (db: Queryable, index: number, size: number): Promise<Buffer[]> =>
  hashesOf(db, inclusionSpans(index, size));
export const consistencyProof = (db: Queryable, first: number, second: number): Promise<Buffer[]> =>
  hashesOf(db, consistencySpans(first, second));

/** The first `width` hashes of a tile, 32 bytes each; undefined if it has fewer. */
export async function readTile(
  db: Queryable,
  level: number,
  index: number,
  width: number,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ hashes: Buffer }>(
    'select substring(hashes from 1 for $3) as hashes from log_tree.tiles where level = $1 and index = $2',
    [level, index, width * 32],
  );
  return rows[0]?.hashes.length === width * 32 ? rows[0].hashes : undefined;
}

/** Yields the hashes of the first `size` leaves in order. */
export async function* storedLeaves(db: Queryable, size: number): AsyncGenerator<Buffer, undefined> {
  for (let index = 0; index * TILE_WIDTH < size; index += TILES_AT_ONCE) {
    const { rows } = await db.query<{ hashes: Buffer }>(
      'select hashes from log_tree.tiles where level = 0 and index >= $1 and index < $2 order by index',
      [index, index + TILES_AT_ONCE],
    );
    for (const { hashes } of rows) yield* splitHashes(hashes);
  }
}

/** Yields tiles above level 0 that do not match the tiles below them. */
export async function* differingTiles(
  db: Queryable,
): AsyncGenerator<{ readonly level: number; readonly index: number }> {
  const { rows: uppers } = await db.query<{ level: number; index: string }>(
    'select level, index from log_tree.tiles where level > 0 order by level, index',
  );
  for (const { level, index } of uppers) {
    // Both are read in one snapshot, because the tree may be growing.
    const { rows } = await db.query<{ hashes: Buffer; below: Buffer[] }>(
      `select t.hashes, array(select b.hashes from log_tree.tiles b where b.level = t.level - 1 and b.index >= t.index * ${TILE_WIDTH} and b.index < (t.index + 1) * ${TILE_WIDTH} and length(b.hashes) = ${TILE_WIDTH * 32} order by b.index) as below
         from log_tree.tiles t where t.level = $1 and t.index = $2`,
      [level, index],
    );
    const expected = rows[0]?.below.map((hashes) => joined(splitHashes(hashes)));
    if (expected && !Buffer.concat(expected).equals(rows[0]!.hashes)) yield { level, index: Number(index) };
  }
}

/** The Merkle tree hash of each span. All spans are read with one query. */
async function hashesOf(db: Queryable, spans: readonly Span[]): Promise<Buffer[]> {
  const subtrees = spans.map(subtreesOf);
  const places = new Map(subtrees.flat().map((subtree) => [keyOf(placeOf(subtree)), placeOf(subtree)]));
  const { rows } = await db.query<{ level: number; index: string; hashes: Buffer }>(
    'select t.level, t.index, t.hashes from log_tree.tiles t join unnest($1::smallint[], $2::bigint[]) n (level, index) using (level, index)',
    [[...places.values()].map(({ level }) => level), [...places.values()].map(({ index }) => index)],
  );
  const tiles = new Map(rows.map(({ level, index, hashes }) => [keyOf({ level, index: Number(index) }), hashes]));
  const hashOf = (subtree: Subtree): Buffer => {
    const place = placeOf(subtree);
    const bytes = tiles.get(keyOf(place))?.subarray(place.offset * 32, (place.offset + place.width) * 32);
    if (bytes?.length !== place.width * 32)
      throw new RangeError(`The tree does not have the subtree ${subtree.index} of 2^${subtree.height} leaves.`);
    return joined(splitHashes(bytes));
  };
  return subtrees.map((parts) => parts.map(hashOf).reduceRight((right, left) => nodeHash(left, right)));
}

/** The location of the hashes that a subtree consists of. They are always in one tile. */
function placeOf({ height, index }: Subtree): { level: number; index: number; offset: number; width: number } {
  const width = 2 ** (height % 8);
  const first = index * width;
  return { level: Math.floor(height / 8), index: Math.floor(first / TILE_WIDTH), offset: first % TILE_WIDTH, width };
}

const keyOf = ({ level, index }: { level: number; index: number }): string => `${level}/${index}`;
