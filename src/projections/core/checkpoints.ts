/** Where each projection stands, who works on it, and the compare-and-set that makes its effect exactly once (G3). */
import pg, { type ClientBase, type Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { Quarantined } from './projection.js';
import { inTransaction } from './transaction.js';

/** A dead process's work is taken over after this; a live one renews well before. */
export const LEASE_SECONDS = 8;

/**
 * Another process took the projection over, or a newer version of the service did: what was read since the checkpoint
 * must be read again.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface Standing {
  readonly name: string;
  readonly position: Position;
  readonly owned: boolean;
  readonly quarantined: number;
  readonly updated_at: Date;
}

/** What reads the log from a checkpoint on: a projection, or the relay. */
export interface Reader {
  readonly name: string;
  readonly version: number;
}

/** Makes the checkpoint, at the start of the log, where there is none. */
export async function register(pool: Pool, { name, version }: Reader): Promise<void> {
  await pool.query('insert into projections.checkpoints (name, version) values ($1, $2) on conflict do nothing', [
    name,
    version,
  ]);
}

/**
 * Takes the projection for `owner` when it is free, its own, or its holder is dead; undefined when somebody else works
 * on it.
 */
export async function acquire(pool: Pool, { name, version }: Reader, owner: string): Promise<Position | undefined> {
  const { rows } = await pool.query<{ position: string }>(
    `update projections.checkpoints set owner = $2, lease_until = now() + make_interval(secs => $3)
      where name = $1 and version = $4 and (owner is null or owner = $2 or lease_until < now()) returning position`,
    [name, owner, LEASE_SECONDS, version],
  );
  return rows[0]?.position;
}

/**
 * Renews the leases of a process in one statement; returns those that it still has. One that is locked is being renewed
 * by its own batch, and not waited for.
 */
export async function renewAll(pool: Pool, owner: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'leases-renew',
    text: `with ours as (select name from projections.checkpoints where owner = $1 and name = any ($2)),
                free as (select name from projections.checkpoints where owner = $1 and name = any ($2) for update skip locked),
                renewed as (update projections.checkpoints c set lease_until = now() + make_interval(secs => $3) from free where c.name = free.name)
           select name from ours`,
    values: [owner, names, LEASE_SECONDS],
  });
  return new Set(rows.map(({ name }) => name));
}

export async function release(pool: Pool, name: string, owner: string): Promise<void> {
  await pool.query(
    'update projections.checkpoints set owner = null, lease_until = null where name = $1 and owner = $2',
    [name, owner],
  );
}

/** For a database that nobody else can use: whoever held a projection is dead, and need not be waited for. */
export async function releaseAll(pool: Pool): Promise<void> {
  await pool.query('update projections.checkpoints set owner = null, lease_until = null');
}

export interface Move {
  readonly reader: Reader;
  readonly from: Position;
  readonly to: Position;
}

/** Moves a checkpoint by itself, for a reader without rows. Throws `LeaseLost`. */
export async function advance(pool: Pool, owner: string, move: Move): Promise<void> {
  leftOutBy(move, (await pool.query<Advanced>(advancing(owner, move))).rows[0]);
}

/**
 * A batch with its rows, in a transaction that moves the checkpoint first: that locks it, so that two writers of one
 * projection cannot both go on. `work` is told the streams that the projection leaves out. Throws `LeaseLost`.
 */
export function inBatch<T>(
  pool: Pool,
  owner: string,
  move: Move,
  work: (db: ClientBase, leftOut: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, (db, [row]) => work(db, leftOutBy(move, row as Advanced)), {
    opening: advancing(owner, move),
  });
}

interface Advanced {
  readonly left_out: readonly string[] | null;
}

/** With its values in it: it travels with the transaction's begin, which takes none beside. */
const advancing = (owner: string, { reader: { name, version }, from, to }: Move): string =>
  `select projections.advance(${[name, owner, from, to].map(pg.escapeLiteral).join(', ')}, ${version}, ${LEASE_SECONDS}) as left_out`;

function leftOutBy({ reader: { name }, from }: Move, row: Advanced | undefined): ReadonlySet<string> {
  if (!row?.left_out) throw new LeaseLost(`${name} is not at ${from} under this process any more.`);
  return new Set(row.left_out);
}

/**
 * Moves the checkpoints of readers that had nothing to do on their way, in one statement. By name: `held` is one that
 * somebody has locked (a rebuild that switches) and nobody waits for; `lost`, one that is not at `from` under this
 * process any more.
 */
export async function advanceAll(
  pool: Pool,
  owner: string,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, 'moved' | 'held' | 'lost'>> {
  const { rows } = await pool.query<{ name: string; outcome: 'moved' | 'held' | 'lost' }>({
    name: 'checkpoints-advance',
    text: `with given as (select * from unnest($2::text[], $3::text[], $4::text[], $5::integer[]) g (name, from_position, to_position, version)),
                ours as (select c.name from projections.checkpoints c join given g on g.name = c.name where c.owner = $1 and c.position = g.from_position and c.version = g.version),
                free as (select c.name from projections.checkpoints c join given g on g.name = c.name where c.owner = $1 and c.position = g.from_position and c.version = g.version for update of c skip locked),
                moved as (update projections.checkpoints c set position = g.to_position, updated_at = now(), lease_until = now() + make_interval(secs => $6)
                            from given g join free f on f.name = g.name where c.name = g.name returning c.name)
           select g.name, case when m.name is not null then 'moved' when o.name is not null then 'held' else 'lost' end as outcome from given g left join moved m on m.name = g.name left join ours o on o.name = g.name`,
    values: [
      owner,
      moves.map(({ reader }) => reader.name),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
      moves.map(({ reader }) => reader.version),
      LEASE_SECONDS,
    ],
  });
  return new Map(rows.map(({ name, outcome }) => [name, outcome]));
}

export async function standings(pool: Pool): Promise<Standing[]> {
  const { rows } = await pool.query<Standing>(
    `select c.name, c.position, c.updated_at, coalesce(c.lease_until > now(), false) as owned,
            (select count(*)::int from projections.quarantine q where q.name = c.name) as quarantined
       from projections.checkpoints c order by c.name`,
  );
  return rows;
}

export async function quarantine(db: ClientBase, name: string, streams: readonly Quarantined[]): Promise<void> {
  await db.query(
    'insert into projections.quarantine (name, stream, position, error) select $1, * from unnest($2::text[], $3::text[], $4::text[]) on conflict do nothing',
    [
      name,
      streams.map(({ stream }) => stream),
      streams.map(({ position }) => position),
      streams.map(({ error }) => error.slice(0, 2_000)),
    ],
  );
}

/** Replaces the whole list, after a replay. */
export async function replaceQuarantine(db: ClientBase, name: string, streams: readonly Quarantined[]): Promise<void> {
  await db.query('delete from projections.quarantine where name = $1', [name]);
  await quarantine(db, name, streams);
}
