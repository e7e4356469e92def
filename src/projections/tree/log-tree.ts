/**
 * The Merkle tree over all events in log order, stored as C2SP tiles. It never grows past a published head with a
 * different root.
 */
import type { ClientBase } from 'pg';
import { leafHashOf } from '../../events/tree/leaf.js';
import { MerkleTree } from '../../events/tree/merkle.js';
import { headsBetween, HeadContradicted } from './heads.js';
import type { Projection } from '../core/projection.js';
import { splitHashes, TileEdge, type Tile } from './tile-edge.js';

/** The whole tree is one row for the fold: its right edge, and the leaves that this batch adds. */
interface TreeExtension {
  readonly edge: TileEdge;
  /** The tree before the batch. */
  readonly before: MerkleTree;
  readonly leaves: Buffer[];
}

const TREE_KEY = '';

export const logTree: Projection<TreeExtension> = {
  name: 'log_tree',
  version: 1,
  asStored: true,
  tables: `
    create table :schema.tiles (
      level         smallint not null,
      index         bigint not null,
      -- 32 bytes each, up to 256 of them; the first ones never change.
      hashes        bytea not null,
      -- Of the last event in a tile of level 0: how an event finds its leaf.
      last_position text collate "C" not null,
      primary key (level, index)
    );
    -- Hashes do not get smaller.
    alter table :schema.tiles alter column hashes set storage external;
    create index on :schema.tiles (last_position) where level = 0;`,
  keyOf: () => TREE_KEY,
  rowPerStream: false,
  // Maximum interval between published heads under load.
  background: 10_000,

  fold(row, event) {
    const extension = row ?? extensionOf([]);
    const leaf = leafHashOf(event);
    extension.edge.append(leaf, event.position);
    extension.leaves.push(leaf);
    return extension;
  },

  async load(db, schema) {
    const { rows } = await db.query<TileRow>(
      `select t.* from generate_series(0, 6) l (level) cross join lateral (select * from ${schema}.tiles where level = l.level order by index desc limit 1) t`,
    );
    return new Map([[TREE_KEY, extensionOf(rows.map(tileOf))]]);
  },

  async save(db, schema, rows) {
    for (const { edge, before, leaves } of rows.values()) {
      await checkHeads(db, before, leaves);
      const tiles = edge.changed;
      await db.query(
        `insert into ${schema}.tiles (level, index, hashes, last_position) select * from unnest($1::smallint[], $2::bigint[], $3::bytea[], $4::text[])
         on conflict (level, index) do update set hashes = excluded.hashes, last_position = excluded.last_position`,
        [
          tiles.map(({ level }) => level),
          tiles.map(({ index }) => index),
          tiles.map(({ hashes }) => Buffer.concat(hashes)),
          tiles.map(({ lastPosition }) => lastPosition),
        ],
      );
    }
  },
};

function extensionOf(last: readonly Tile[]): TreeExtension {
  const edge = new TileEdge(last);
  return { edge, before: edge.tree(), leaves: [] };
}

/**
 * While the tree is rebuilt, and after a restore, it passes the sizes of published heads. At each of them, the root
 * must match.
 */
async function checkHeads(db: ClientBase, before: MerkleTree, leaves: readonly Buffer[]): Promise<void> {
  const start = before.size;
  const tree = new MerkleTree(start, before.peaks);
  for (const { size, root } of await headsBetween(db, start, start + leaves.length)) {
    while (tree.size < size) tree.append(leaves[tree.size - start]!);
    if (!tree.root().equals(root)) throw new HeadContradicted(size, root, tree.root());
  }
}

interface TileRow {
  readonly level: number;
  readonly index: string;
  readonly hashes: Buffer;
  readonly last_position: string;
}

const tileOf = ({ level, index, hashes, last_position }: TileRow): Tile => ({
  level,
  index: Number(index),
  hashes: splitHashes(hashes),
  lastPosition: last_position,
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'log_tree', true> {}
}
