/**
 * Published heads of the log's Merkle tree. They are signed and never change. There is one per size, and each contains
 * all events of the previous one.
 */
import type { ClientBase, Pool } from 'pg';
import type { Signer } from '../../events/tree/signed-note.js';
import { signHead } from '../../events/tree/tree-head.js';
import { treeSize, rootAt } from './tree-proofs.js';
import { inTransaction } from '../core/transaction.js';

/**
 * The alarm of the audit trail: the log differs from its published heads. The log or the tree was changed, or an older
 * copy was restored.
 */
export class HeadContradicted extends Error {
  override readonly name = 'HeadContradicted';
  constructor(
    readonly size: number,
    readonly published: Buffer,
    readonly found: Buffer,
  ) {
    super(
      `The first ${size} events differ from the published events: their root was ${published.toString('hex')} and is now ${found.toString('hex')}. Run npm run audit -- verify.`,
    );
  }
}

export interface PublishedHead {
  readonly size: number;
  readonly root: Buffer;
  /** The exact text of the checkpoint. */
  readonly note: string;
  /** Verifier key of its signature. */
  readonly key: string;
  readonly publishedAt: Date;
}

interface HeadRow extends Omit<PublishedHead, 'size' | 'publishedAt'> {
  readonly size: string;
  readonly published_at: Date;
}

const COLUMNS = 'size, root, note, key, published_at';
const headOf = ({ size, published_at, ...row }: HeadRow): PublishedHead => ({
  ...row,
  size: Number(size),
  publishedAt: published_at,
});
type Queryable = Pool | ClientBase;

async function headsWhere(db: Queryable, condition: string, values: readonly unknown[]): Promise<PublishedHead[]> {
  const { rows } = await db.query<HeadRow>(`select ${COLUMNS} from notary.heads where ${condition}`, [...values]);
  return rows.map(headOf);
}

export const latestHead = async (db: Queryable): Promise<PublishedHead | undefined> =>
  (await headsWhere(db, 'true order by size desc limit 1', []))[0];
export const headOfSize = async (db: Queryable, size: number): Promise<PublishedHead | undefined> =>
  (await headsWhere(db, 'size = $1', [size]))[0];
/** Heads with sizes in (after, upTo], smallest first, at most `limit`. */
export const headsBetween = (db: Queryable, after: number, upTo: number, limit?: number): Promise<PublishedHead[]> =>
  headsWhere(db, 'size > $1 and size <= $2 order by size limit $3', [after, upTo, limit ?? null]);
/** Heads smaller than `before`, largest first, at most `limit`. */
export const headsBefore = (db: Queryable, before: number, limit: number): Promise<PublishedHead[]> =>
  headsWhere(db, 'size < $1 order by size desc limit $2', [before, limit]);

/** Returns the name of the log. If it has none yet, `proposed` becomes its name. */
export async function originOf(pool: Pool, proposed: string): Promise<string> {
  const { rows } = await pool.query<{ origin: string }>(
    'with named as (insert into notary.identity (origin) values ($1) on conflict do nothing returning origin) select origin from named union all select origin from notary.identity limit 1',
    [proposed],
  );
  return rows[0]!.origin;
}

export interface PublishOptions {
  readonly origin: string;
  readonly signer: Signer;
}

/**
 * Publishes the head of the current tree; returns undefined if the tree has not grown. Throws `HeadContradicted` if the
 * tree does not begin with the tree of the last published head. Several processes may call it at the same time.
 */
export async function publishHead(pool: Pool, { origin, signer }: PublishOptions): Promise<PublishedHead | undefined> {
  return inTransaction(
    pool,
    async (db) => {
      // The pool of read models commits asynchronously, but a published head must survive a crash of the machine.
      await db.query('set local synchronous_commit = on');
      // The snapshot is taken after the lock, so it contains the heads of processes that published before.
      await db.query('lock table notary.heads in share row exclusive mode');
      const last = await latestHead(db);
      const size = await treeSize(db);
      if (last) {
        // A tree that is being rebuilt can only be checked when it reaches the size of the last head.
        if (size < last.size) return undefined;
        const root = await rootAt(db, last.size);
        if (!root.equals(last.root)) throw new HeadContradicted(last.size, last.root, root);
      }
      if (size === (last?.size ?? 0)) return undefined;
      const root = await rootAt(db, size);
      const { rows } = await db.query<HeadRow>(
        `insert into notary.heads (size, root, note, key) values ($1, $2, $3, $4) returning ${COLUMNS}`,
        [size, root, signHead({ origin, size, root }, signer), signer.verifierKey],
      );
      return headOf(rows[0]!);
    },
    { isolation: 'repeatable read' },
  );
}
