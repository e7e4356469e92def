/** Where each projection stands, who works on it, and the compare-and-set that makes its effect exactly once (G3). */
import type { ClientBase, Pool } from 'pg';
import type { Position } from '../events/log.js';
import type { Quarantined } from './projection.js';

/** A dead process's work is taken over after this; a live one renews well before. */
export const LEASE_SECONDS = 8;

/** Another process took the projection over, or a newer version of the service did: what was read since the checkpoint must be read again. */
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
  await pool.query('insert into projections.checkpoints (name, version) values ($1, $2) on conflict do nothing', [name, version]);
}

/** Takes the projection for `owner` when it is free, its own, or its holder is dead; undefined when somebody else works on it. */
export async function acquire(pool: Pool, { name, version }: Reader, owner: string): Promise<Position | undefined> {
  const { rows } = await pool.query<{ position: string }>(
    `update projections.checkpoints set owner = $2, lease_until = now() + make_interval(secs => $3)
      where name = $1 and version = $4 and (owner is null or owner = $2 or lease_until < now()) returning position`,
    [name, owner, LEASE_SECONDS, version],
  );
  return rows[0]?.position;
}

export async function renew(pool: Pool, name: string, owner: string): Promise<boolean> {
  const { rowCount } = await pool.query('update projections.checkpoints set lease_until = now() + make_interval(secs => $3) where name = $1 and owner = $2', [name, owner, LEASE_SECONDS]);
  return rowCount === 1;
}

export async function release(pool: Pool, name: string, owner: string): Promise<void> {
  await pool.query('update projections.checkpoints set owner = null, lease_until = null where name = $1 and owner = $2', [name, owner]);
}

/** For a database that nobody else can use: whoever held a projection is dead, and need not be waited for. */
export async function releaseAll(pool: Pool): Promise<void> {
  await pool.query('update projections.checkpoints set owner = null, lease_until = null');
}

/** Inside the batch's transaction, before its rows (a reader without rows needs none): locks the checkpoint, so that two writers of one projection cannot both go on. */
export async function advance(db: ClientBase | Pool, { name, version }: Reader, owner: string, from: Position, to: Position): Promise<void> {
  const { rowCount } = await db.query({
    name: 'checkpoint-advance',
    text: `update projections.checkpoints set position = $4, updated_at = now(), lease_until = now() + make_interval(secs => $5)
            where name = $1 and owner = $2 and position = $3 and version = $6`,
    values: [name, owner, from, to, LEASE_SECONDS, version],
  });
  if (rowCount !== 1) throw new LeaseLost(`${name} is not at ${from} under this process any more.`);
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
  await db.query('insert into projections.quarantine (name, stream, position, error) select $1, * from unnest($2::text[], $3::text[], $4::text[]) on conflict do nothing',
    [name, streams.map(({ stream }) => stream), streams.map(({ position }) => position), streams.map(({ error }) => error.slice(0, 2_000))]);
}

/** Streams that the projection leaves out. */
export async function quarantinedStreams(db: Pool | ClientBase, name: string): Promise<Set<string>> {
  const { rows } = await db.query<{ stream: string }>({ name: 'quarantined-streams', text: 'select stream from projections.quarantine where name = $1', values: [name] });
  return new Set(rows.map((row) => row.stream));
}

/** Replaces the whole list, after a replay. */
export async function replaceQuarantine(db: ClientBase, name: string, streams: readonly Quarantined[]): Promise<void> {
  await db.query('delete from projections.quarantine where name = $1', [name]);
  await quarantine(db, name, streams);
}
