/**
 * Creates missing read models, rebuilds existing ones next to the live ones, and replays read models for comparison
 * only. A rebuilt read model is compared and then switched in one transaction. The live read model stays available and
 * keeps folding, except during the switch.
 */
import type { ClientBase, Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import { replaceQuarantine } from '../core/checkpoints.js';
import { compareSchemas, type Difference } from './compare.js';
import type { Projection, Quarantined } from '../core/projection.js';
import { Replay, type ReplayOptions } from './replay.js';
import { inTransaction } from '../core/transaction.js';

const LOCK = 7305541260174002n;
/** Maximum number of remaining events when the live projection is locked for the switch. */
const MAX_REMAINING_EVENTS = 1_000;

export interface RebuildOptions extends ReplayOptions {
  /** True: switch to the new read model. False: compare and drop it. */
  readonly switchOver: boolean;
  /** Called for every row that differs between the live read model and the replay, or that one of them lacks. */
  readonly onDifference?: (difference: Difference) => void | Promise<void>;
}

export interface Rebuilt {
  /** Number of replayed events. */
  readonly events: number;
  /** The position at which both were compared. */
  readonly position: Position;
  /**
   * Number of rows that differ; 0 if both are equal byte for byte. Undefined if a different version of the projection
   * created the live tables.
   */
  readonly differences: number | undefined;
  /** Streams that the replay could not fold. */
  readonly quarantined: readonly Quarantined[];
}

/** Creates the tables of all projections that have none. Rebuilds tables that an older version of the code created. */
export async function prepareProjections(projections: readonly Projection[], options: ReplayOptions): Promise<void> {
  await makeMissing(projections, options.pool);
  const versions = await versionsOf(projections, options.pool);
  for (const projection of projections.filter(({ name, version }) => versions.get(name)! < version)) {
    const outdated = async () => (await checkpointOf(options.pool, projection.name)).version < projection.version;
    // If processes start together, the first one rebuilds and the others wait for it.
    await withRebuildLock(
      options.pool,
      { wait: true },
      async (db) => (await outdated()) && replace(projection, db, { ...options, switchOver: true }),
    );
  }
}

/** Creates empty tables for projections that have none. They start from the beginning of the log. */
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

/** The version that created the tables, by projection name. */
async function versionsOf(projections: readonly Projection[], pool: Pool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ name: string; version: number }>(
    'select name, version from projections.checkpoints where name = any ($1)',
    [projections.map(({ name }) => name)],
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/**
 * Replays the log into a new read model next to the live one. Only one rebuild per database may run; throws if another
 * one is running.
 */
export async function rebuild(projection: Projection, options: RebuildOptions): Promise<Rebuilt> {
  return withRebuildLock(options.pool, { wait: false }, (db) => replace(projection, db, options));
}

/** `db`: a connection outside of any transaction, for statements that are independent of the replay's transactions. */
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
      await analyze(db, next);
      await switchTo(replay, projection, { next, old }, options.pool);
    }
    return { events: replay.events, position, differences, quarantined: [...replay.quarantined.values()] };
  } finally {
    // Statements that still read the old tables finish without errors.
    await db.query(`drop schema if exists ${next}, ${old} cascade`).catch(() => undefined);
  }
}

async function catchUp(replay: Replay, name: string, pool: Pool): Promise<void> {
  for (let before = -Infinity; replay.events - before > MAX_REMAINING_EVENTS;) {
    before = replay.events;
    await replay.to((await checkpointOf(pool, name)).position);
  }
}

/**
 * Rows and checkpoint of the live read model change together. So one snapshot of both is consistent, and it blocks no
 * other process.
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
      const live = await checkpointOf(db, name);
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

/** Collects the statistics that PostgreSQL plans queries with. Autovacuum does it only about a minute later. */
async function analyze(db: ClientBase, schema: string): Promise<void> {
  const { rows } = await db.query<{ tables: string | null }>(
    "select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables from pg_tables where schemaname = $1",
    [schema],
  );
  if (rows[0]!.tables !== null) await db.query(`analyze ${rows[0]!.tables}`);
}

/**
 * Renaming schemas takes no table locks, so readers neither wait nor fail. Running queries use the old tables, and
 * later ones use the new tables.
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
    // A runner of an older version must not continue with these tables. A runner of this version should not wait until
    // that lease expires.
    await db.query(
      'update projections.checkpoints set version = $2, owner = case when version = $2 then owner end where name = $1',
      [name, version],
    );
    await replaceQuarantine(db, name, [...replay.quarantined.values()]);
  });
}

async function withRebuildLock<T>(
  pool: Pool,
  { wait }: { wait: boolean },
  work: (db: ClientBase) => Promise<T>,
): Promise<T> {
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

async function checkpointOf(db: Pool | ClientBase, name: string): Promise<{ position: Position; version: number }> {
  const { rows } = await db.query<{ position: Position; version: number }>(
    'select position, version from projections.checkpoints where name = $1',
    [name],
  );
  if (!rows[0]) throw new Error(`The read model ${name} does not exist yet.`);
  return rows[0];
}
