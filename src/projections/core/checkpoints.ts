/**
 * Stores the position and the owner of each projection. A compare-and-set on the position applies each event exactly
 * once (G3).
 */
import pg, { type ClientBase, type Pool } from 'pg';
import type { Position } from '../../events/core/log.js';
import type { LeaseHolder } from '../../events/core/time-limits.js';
import type { Quarantined } from './projection.js';
import { inTransaction } from './transaction.js';

/**
 * Thrown when another process, or a newer version of the service, has taken over the projection. The next owner reads
 * the events after the checkpoint again.
 */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface CheckpointStatus {
  readonly name: string;
  readonly position: Position;
  readonly owned: boolean;
  readonly quarantined: number;
  readonly updated_at: Date;
}

/** A component that reads the log from a checkpoint: a projection, or the relay. */
export interface Reader {
  readonly name: string;
  readonly version: number;
}

/**
 * Takes the lease of the projection for `owner` if it is free, held by `owner` already, or expired. Returns undefined
 * if another process holds it. Creates a missing checkpoint at the start of the log.
 */
export async function acquire(
  pool: Pool,
  { name, version }: Reader,
  owner: LeaseHolder,
): Promise<Position | undefined> {
  // No upsert: an upsert would lock the row even if another process holds the projection.
  const { rows } = await pool.query<{ position: string }>({
    name: 'checkpoints-acquire',
    text: `with taken as (update projections.checkpoints set owner = $2, lease_until = now() + make_interval(secs => $3)
                    where name = $1 and version = $4 and (owner is null or owner = $2 or lease_until < now()) returning position),
                made as (insert into projections.checkpoints (name, version, owner, lease_until)
                         select $1, $4, $2, now() + make_interval(secs => $3)
                          where not exists (select from projections.checkpoints where name = $1)
                         on conflict do nothing returning position)
           select position from taken union all select position from made`,
    values: [name, owner.id, owner.seconds, version],
  });
  return rows[0]?.position;
}

export async function release(pool: Pool, name: string, owner: LeaseHolder): Promise<void> {
  await pool.query(
    'update projections.checkpoints set owner = null, lease_until = null where name = $1 and owner = $2',
    [name, owner.id],
  );
}

/**
 * Releases all leases. Only for a database that no other process can use: all former lease holders have ended, so no
 * process needs to wait until their leases expire.
 */
export async function releaseAll(pool: Pool): Promise<void> {
  await pool.query('update projections.checkpoints set owner = null, lease_until = null');
}

export interface Move {
  readonly reader: Reader;
  readonly from: Position;
  readonly to: Position;
}

/** Moves the checkpoint of a reader that writes no rows. Throws `LeaseLost`. */
export async function advance(pool: Pool, owner: LeaseHolder, move: Move): Promise<void> {
  readSkippedStreams(move, (await pool.query<Advanced>(advancing(owner, move))).rows[0]);
}

/**
 * Runs `work` in a transaction that first moves the checkpoint. The move locks the checkpoint, so two writers of one
 * projection cannot both continue. `work` receives the streams that the projection skips. Throws `LeaseLost`.
 */
export function inBatch<T>(
  pool: Pool,
  owner: LeaseHolder,
  move: Move,
  work: (db: ClientBase, skippedStreams: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, (db, [row]) => work(db, readSkippedStreams(move, row as Advanced)), {
    opening: advancing(owner, move),
  });
}

interface Advanced {
  readonly left_out: readonly string[] | null;
}

/**
 * The values are inlined: the statement is sent together with the `begin` of the transaction, which takes no
 * parameters.
 */
const advancing = (owner: LeaseHolder, { reader: { name, version }, from, to }: Move): string =>
  `select projections.advance(${[name, owner.id, from, to].map(pg.escapeLiteral).join(', ')}, ${version}, ${owner.seconds}) as left_out`;

function readSkippedStreams({ reader: { name }, from }: Move, row: Advanced | undefined): ReadonlySet<string> {
  if (!row?.left_out) throw new LeaseLost(`${name} is not at ${from} under this process any more.`);
  return new Set(row.left_out);
}

/** A lease to renew. With `move`, the checkpoint moves too; the reader had no work between the two positions. */
export interface LeaseRenewal {
  readonly reader: Reader;
  readonly move?: Omit<Move, 'reader'>;
}

/**
 * `held`: another transaction has locked the checkpoint (a batch of this reader, or the switch of a rebuild). The
 * statement does not wait for the lock.
 */
export type RenewalOutcome = 'kept' | 'held' | 'lost';

const OURS =
  'select c.name from projections.checkpoints c join given g on g.name = c.name and g.version = c.version where c.owner = $1 and c.position = coalesce(g.from_position, c.position)';

/**
 * Renews leases of a process and applies the moves in one statement. Returns the outcome by reader name. `lost`: this
 * process no longer holds the lease, or the checkpoint is not at `from`.
 */
export async function renewLeases(
  pool: Pool,
  owner: LeaseHolder,
  renewals: readonly LeaseRenewal[],
): Promise<ReadonlyMap<string, RenewalOutcome>> {
  const { rows } = await pool.query<{ name: string; keeping: RenewalOutcome }>({
    name: 'checkpoints-keep',
    text: `with given as (select * from unnest($2::text[], $3::integer[], $4::text[], $5::text[]) g (name, version, from_position, to_position)),
                ours as (${OURS}),
                free as (${OURS} for update of c skip locked),
                kept as (update projections.checkpoints c
                            set lease_until = now() + make_interval(secs => $6), position = coalesce(g.to_position, c.position),
                                updated_at = case when g.to_position is null then c.updated_at else now() end
                           from given g join free f on f.name = g.name where c.name = g.name returning c.name)
           select g.name, case when k.name is not null then 'kept' when o.name is not null then 'held' else 'lost' end as keeping
             from given g left join kept k on k.name = g.name left join ours o on o.name = g.name`,
    values: [
      owner.id,
      renewals.map(({ reader }) => reader.name),
      renewals.map(({ reader }) => reader.version),
      renewals.map(({ move }) => move?.from ?? null),
      renewals.map(({ move }) => move?.to ?? null),
      owner.seconds,
    ],
  });
  return new Map(rows.map(({ name, keeping }) => [name, keeping]));
}

export async function checkpoints(pool: Pool): Promise<CheckpointStatus[]> {
  const { rows } = await pool.query<CheckpointStatus>(
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

/** Replaces the whole quarantine list of a projection after a replay. */
export async function replaceQuarantine(db: ClientBase, name: string, streams: readonly Quarantined[]): Promise<void> {
  await db.query('delete from projections.quarantine where name = $1', [name]);
  await quarantine(db, name, streams);
}
