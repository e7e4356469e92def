/**
 * Makes read models: the first time, again beside the live one (compared at one position, then switched in one transaction), and
 * for comparison only. The live one serves all the while.
 */
import type { ClientBase, Pool } from 'pg';
import { decode, type EventTypes } from '../events/codec.js';
import { START, type EventLog, type Position } from '../events/log.js';
import { compareSchemas, type Difference } from './compare.js';
import { foldBatch, type Projection } from './projection.js';
import { inTransaction } from './transaction.js';

const BATCH = 5_000;
const LOCK = 7305541260174002n;

export interface RebuildOptions {
  readonly log: EventLog;
  /** Without a statement time-out: comparing takes as long as it takes. */
  readonly pool: Pool;
  readonly types: EventTypes;
  /** Take the new one into service; false: compare and drop it. */
  readonly switchOver: boolean;
  readonly onProgress?: (events: number, position: Position) => void;
}

export interface Rebuilt {
  readonly events: number;
  readonly position: Position;
  /** Rows of the live read model that a replay does not give, at most 100 a table; empty when they are equal byte for byte. */
  readonly differences: readonly Difference[];
  readonly switched: boolean;
}

/** Makes the tables of every projection that has none, and rebuilds those that an older version of the code made. */
export async function prepareProjections(projections: readonly Projection[], options: Omit<RebuildOptions, 'switchOver'>): Promise<void> {
  for (const projection of projections) {
    const version = await inTransaction(options.pool, async (db) => {
      await db.query('select pg_advisory_xact_lock($1)', [LOCK]);
      const { rows } = await db.query<{ version: number }>('select version from projections.checkpoints where name = $1', [projection.name]);
      if (rows[0]) return rows[0].version;
      await makeTables(db, projection, projection.name);
      await db.query('insert into projections.checkpoints (name, version) values ($1, $2)', [projection.name, projection.version]);
      return projection.version;
    });
    if (version < projection.version) await rebuild(projection, { ...options, switchOver: true });
  }
}

/** Replays the log into a fresh read model beside the live one. One at a time per database; throws when another one runs. */
export async function rebuild(projection: Projection, options: RebuildOptions): Promise<Rebuilt> {
  const { pool, switchOver } = options;
  const schema = `${projection.name}__next`;
  const guard = await pool.connect();
  try {
    const { rows } = await guard.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (!rows[0]!.free) throw new Error('Another rebuild is running on this database.');
    await guard.query(`drop schema if exists ${schema} cascade`);
    await makeTables(guard, projection, schema);

    const copy = new Replay(projection, schema, options);
    await copy.to(await livePosition(pool, projection.name));
    return await inTransaction(pool, async (db) => {
      // Holds the live projection at one position for the last stretch and the comparison.
      const { rows } = await db.query<{ position: Position; version: number }>('select position, version from projections.checkpoints where name = $1 for update', [projection.name]);
      const live = rows[0]!;
      await copy.to(live.position);
      const differences = live.version === projection.version ? await compareSchemas(db, projection.name, schema) : [];
      if (!switchOver) {
        await db.query(`drop schema ${schema} cascade`);
      } else {
        await db.query(`drop schema ${projection.name} cascade`);
        await db.query(`alter schema ${schema} rename to ${projection.name}`);
        await db.query('update projections.checkpoints set version = $2 where name = $1', [projection.name, projection.version]);
        await db.query('delete from projections.quarantine where name = $1 and stream <> all ($2)', [projection.name, [...copy.skipped]]);
      }
      return { events: copy.events, position: live.position, differences, switched: switchOver };
    });
  } finally {
    await guard.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    guard.release();
  }
}

class Replay {
  events = 0;
  /** Streams that the fold could not take this time either. */
  readonly skipped = new Set<string>();
  #position: Position = START;

  constructor(
    readonly projection: Projection,
    readonly schema: string,
    readonly options: RebuildOptions,
  ) {}

  /** Folds everything up to and with `target`. */
  async to(target: Position): Promise<void> {
    if (this.#position >= target) return;
    const { log, pool, types, onProgress } = this.options;
    const stop = new AbortController();
    const batches = log.subscribe(this.#position, { prefixes: this.projection.prefixes, batch: BATCH, signal: stop.signal })[Symbol.asyncIterator]();
    try {
      // The next batch is read while this one is folded and saved.
      for (let next = batches.next(); this.#position < target; ) {
        const { value: batch, done } = await next;
        if (done) throw new Error('The log ended early.');
        if (batch.position < target) next = batches.next();
        const events = batch.events.filter(({ position }) => position <= target).map((event) => ({ ...event, data: decode(event, types) }));
        const bad = await inTransaction(pool, (db) => foldBatch(this.projection, db, this.schema, events, this.skipped));
        for (const { stream } of bad) this.skipped.add(stream);
        this.events += events.length;
        this.#position = batch.position < target ? batch.position : target;
        onProgress?.(this.events, this.#position);
      }
    } finally {
      stop.abort();
      await batches.return?.();
    }
  }
}

async function makeTables(db: ClientBase, { tables }: Projection, schema: string): Promise<void> {
  await db.query(`create schema ${schema}; ${tables.replaceAll(':schema', schema)}`);
}

async function livePosition(pool: Pool, name: string): Promise<Position> {
  const { rows } = await pool.query<{ position: Position }>('select position from projections.checkpoints where name = $1', [name]);
  return rows[0]!.position;
}

