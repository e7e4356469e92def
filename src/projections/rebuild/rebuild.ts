/**
 * Makes read models: the first time, again next to the live one (compared, then switched in one transaction), and for
 * comparison only. The live one serves all the while, and continues folding except at the moment of the switch.
 */
import type { ClientBase, Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import { replaceQuarantine } from '../core/checkpoints.js';
import { compareSchemas, type Difference } from './compare.js';
import type { Projection, Quarantined } from '../core/projection.js';
import { Replay, type ReplayOptions } from './replay.js';
import { inTransaction } from '../core/transaction.js';

const LOCK = 7305541260174002n;
/** So much is left at most when the live projection is held for the switch. */
const LAST_STRETCH = 1_000;

export interface RebuildOptions extends ReplayOptions {
  /** Take the new one into service; false: compare and drop it. */
  readonly switchOver: boolean;
  /** Told every row of the live read model that a replay does not give, and every row that is missing in it. */
  readonly onDifference?: (difference: Difference) => void | Promise<void>;
}

export interface Rebuilt {
  /** Events replayed. */
  readonly events: number;
  /** Where the two were compared. */
  readonly position: Position;
  /**
   * Rows that differ; 0 when they are equal byte for byte; undefined when another version of the projection made the
   * live one.
   */
  readonly differences: number | undefined;
  /** Streams that the replay could not take. */
  readonly quarantined: readonly Quarantined[];
}

/** Makes the tables of every projection that has none, and rebuilds those that an older version of the code made. */
export async function prepareProjections(projections: readonly Projection[], options: ReplayOptions): Promise<void> {
  await makeMissing(projections, options.pool);
  const versions = await versionsOf(projections, options.pool);
  for (const projection of projections.filter(({ name, version }) => versions.get(name)! < version)) {
    const outdated = async () => (await standingOf(options.pool, projection.name)).version < projection.version;
    // Of processes that start together the first one rebuilds and the others wait for it.
    await alone(
      options.pool,
      { wait: true },
      async (db) => (await outdated()) && replace(projection, db, { ...options, switchOver: true }),
    );
  }
}

/** Makes empty tables for projections that have none: their events come from the start of the log. */
export async function makeMissing(projections: readonly Projection[], pool: Pool): Promise<void> {
  const versions = await versionsOf(projections, pool);
  for (const projection of projections.filter(({ name }) => !versions.has(name))) {
    await inTransaction(pool, async (db) => {
      const { rowCount } = await db.query(
        'insert into projections.checkpoints (name, version) values ($1, $2) on conflict do nothing',
        [projection.name, projection.version],
      );
      if (rowCount === 1) await makeTables(db, projection, projection.name);
    });
  }
}

/** The version that made the tables, by the names of the projections that have some. */
async function versionsOf(projections: readonly Projection[], pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ name: string; version: number }>(
    'select name, version from projections.checkpoints where name = any ($1)',
    [projections.map(({ name }) => name)],
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/**
 * Replays the log into a fresh read model next to the live one. One at a time per database; throws when another one
 * runs.
 */
export async function rebuild(projection: Projection, options: RebuildOptions): Promise<Rebuilt> {
  return alone(options.pool, { wait: false }, (db) => replace(projection, db, options));
}

/** `db` is a connection, not in a transaction, for what outlives the replay's transactions. */
async function replace(projection: Projection, db: ClientBase, options: RebuildOptions): Promise<Rebuilt> {
  const { name } = projection;
  const next = `${name}__next`;
  const old = `${name}__old`;
  await db.query(`drop schema if exists ${next}, ${old} cascade`);
  try {
    await makeTables(db, projection, next);
    const replay = new Replay(projection, next, options);
    await catchUp(replay, name, options.pool);
    const { position, differences } = await compare(replay, projection, next, options);
    if (options.switchOver) {
      await catchUp(replay, name, options.pool);
      await switchTo(replay, projection, { next, old }, options.pool);
    }
    return { events: replay.events, position, differences, quarantined: [...replay.quarantined.values()] };
  } finally {
    // Who began to read the old one ends undisturbed.
    await db.query(`drop schema if exists ${next}, ${old} cascade`).catch(() => undefined);
  }
}

async function catchUp(replay: Replay, name: string, pool: Pool): Promise<void> {
  for (let before = -Infinity; replay.events - before > LAST_STRETCH;) {
    before = replay.events;
    await replay.to((await standingOf(pool, name)).position);
  }
}

/**
 * Rows and checkpoint of the live read model change together: one snapshot of both stands still without holding anybody
 * up.
 */
async function compare(
  replay: Replay,
  { name, version }: Projection,
  next: string,
  { pool, onDifference }: RebuildOptions,
): Promise<Pick<Rebuilt, 'position' | 'differences'>> {
  return inTransaction(
    pool,
    async (db) => {
      // The consumer of the differences may be slow.
      await db.query('set local idle_in_transaction_session_timeout = 0');
      const live = await standingOf(db, name);
      await replay.to(live.position, db);
      if (live.version !== version) return { position: live.position, differences: undefined };
      let differences = 0;
      for await (const difference of compareSchemas(db, name, next)) {
        differences++;
        await onDifference?.(difference);
      }
      return { position: live.position, differences };
    },
    { isolation: 'repeatable read' },
  );
}

/**
 * Renaming takes no lock on tables, so readers neither wait nor fail: those under way see the old tables, the next the
 * new ones.
 */
async function switchTo(
  replay: Replay,
  { name, version }: Projection,
  { next, old }: { next: string; old: string },
  pool: Pool,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ position: Position }>(
      'select position from projections.checkpoints where name = $1 for update',
      [name],
    );
    await replay.to(rows[0]!.position, db);
    await db.query(`alter schema ${name} rename to ${old}; alter schema ${next} rename to ${name}`);
    // A runner of an older version must not continue with these tables, and one of this version need not wait for its
    // lease to end.
    await db.query(
      'update projections.checkpoints set version = $2, owner = case when version = $2 then owner end where name = $1',
      [name, version],
    );
    await replaceQuarantine(db, name, [...replay.quarantined.values()]);
  });
}

async function alone<T>(pool: Pool, { wait }: { wait: boolean }, work: (db: ClientBase) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await db.query<{ free: boolean }>(
      wait ? 'select true as free from pg_advisory_lock($1)' : 'select pg_try_advisory_lock($1) as free',
      [LOCK],
    );
    if (!rows[0]!.free) throw new Error('Another rebuild is running on this database.');
    try {
      return await work(db);
    } finally {
      await db.query('select pg_advisory_unlock($1)', [LOCK]).catch((error: Error) => (broken = error));
    }
  } finally {
    db.release(broken);
  }
}

async function makeTables(db: ClientBase, { tables }: Projection, schema: string): Promise<void> {
  await db.query(`create schema ${schema}; ${tables.replaceAll(':schema', schema)}`);
}

async function standingOf(db: Pool | ClientBase, name: string): Promise<{ position: Position; version: number }> {
  const { rows } = await db.query<{ position: Position; version: number }>(
    'select position, version from projections.checkpoints where name = $1',
    [name],
  );
  if (!rows[0]) throw new Error(`There is no read model ${name} yet.`);
  return rows[0];
}
