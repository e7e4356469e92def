/** Queries on the timeline read model. Concurrent queries of one kind are combined into one database query. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import QuickLRU from 'quick-lru';
import type { Owner } from '../../events/trackings/events.js';
import { holderIn, rank, type Named } from './rank.js';
import { rowFrom } from './stored.js';
import type { TrackingRow } from './row.js';

/** The members of a tracking that are needed to resolve a number. */
export interface TrackingHead {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
  readonly former_writers: readonly string[];
  /** Last revision of the stream in the read model. It changes with every change of the timeline. */
  readonly revision: number;
  /** Time of the latest scan; '' if there is none. */
  readonly last_active: string;
  /** Time of the last event in the row: RFC 3339, UTC. */
  readonly recorded_at: string;
  /** Position in the log since which the requested identifier has referred to this tracking. */
  readonly since: string;
  /** Time of that event: RFC 3339, UTC. */
  readonly since_at: string;
}

export type TrackingQueries = ReturnType<typeof createTrackingQueries>;

const HEAD =
  't.id, t.owner_kind, t.owner_id, t.number, t.generation, t.writers, t.former_writers, t.revision, t.last_active, t.recorded_at';

interface HeadRow extends Omit<TrackingHead, 'owner'> {
  readonly identifier: string;
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
}

/**
 * The trackings that identifiers refer to. A number can have several trackings of one owner: if an identifier refers to
 * one of them, it refers to all.
 *
 * `offset 0` keeps PostgreSQL from joining the whole table of trackings. It would choose that join as long as the table
 * has no statistics, such as after a restore, and each read and each push would take hundreds of milliseconds.
 */
export const HEADS = `
  select number as identifier, opened as since, opened_at as since_at, ${HEAD}
    from timeline.trackings t where number = any ($1)
  union all
  select i.identifier, i.since, i.since_at, ${HEAD}
    from timeline.identifiers i
    cross join lateral (select owner_kind, owner_id, number from timeline.trackings where id = i.tracking offset 0) n
    cross join lateral (
      select * from timeline.trackings
       where number = n.number and owner_kind = n.owner_kind and owner_id = n.owner_id offset 0) t
   where i.identifier = any ($1)`;

export function createTrackingQueries(pool: Pool) {
  const heads = new DataLoader<string, readonly TrackingHead[]>(
    async (identifiers) => {
      const { rows } = await pool.query<HeadRow>({ name: 'tracking-heads', text: HEADS, values: [identifiers] });
      const found = new Map<string, TrackingHead[]>();
      for (const { identifier, owner_kind, owner_id, ...head } of rows) {
        const list = found.get(identifier) ?? [];
        list.push({ ...head, owner: { kind: owner_kind, id: owner_id } });
        found.set(identifier, list);
      }
      return identifiers.map((identifier) => found.get(identifier) ?? []);
    },
    { cache: false, maxBatchSize: 1_000, batchScheduleFn: setImmediate },
  );

  const rows = new DataLoader<string, TrackingRow | undefined>(
    async (ids) => {
      const result = await pool.query({
        name: 'tracking-rows',
        text: 'select * from timeline.trackings where id = any ($1)',
        values: [ids],
      });
      const found = new Map(result.rows.map((row: Parameters<typeof rowFrom>[0]) => [row.id, rowFrom(row)]));
      return ids.map((id) => found.get(id));
    },
    { cache: false, maxBatchSize: 200, batchScheduleFn: setImmediate },
  );

  const holders = new QuickLRU<string, number>({ maxSize: 10_000 });
  const byId = (id: string): Promise<TrackingRow | undefined> => rows.load(id);

  return {
    /** Trackings that an identifier refers to (see `identifiersOf`), in any order. */
    byIdentifier: (identifier: string): Promise<readonly TrackingHead[]> => heads.load(identifier),
    /** The numbers that any of the identifiers refers to. The current meaning of the identifiers comes first. */
    async byAnyIdentifier(identifiers: readonly string[]): Promise<readonly Named<TrackingHead>[]> {
      const found = (await Promise.all(identifiers.map((identifier) => heads.load(identifier)))).flat();
      return rank(found, identifiers, byId, holders);
    },
    /** The parcel that holds the number among these (rule N6 of the protocol). `parcels`: at least one. */
    holder: (parcels: readonly Named<TrackingHead>[]): Promise<Named<TrackingHead>> =>
      parcels.length === 1 ? Promise.resolve(parcels[0]!) : holderIn(parcels, byId, holders),
    /** The whole row, or undefined. */
    byId,
  };
}
