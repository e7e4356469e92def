/** Questions to the timeline read model. Concurrent questions of one kind go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import type { Owner } from '../../events/trackings/events.js';
import { rowFrom, type TrackingRow } from './read-model.js';

/** What resolving a number needs to know of a tracking. */
export interface TrackingHead {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
  /** Last revision of its stream in the read model; changes whenever the timeline does. */
  readonly revision: number;
  /** Instant of the latest scan; '' before the first. */
  readonly last_active: string;
  /** When the read model's row last took something in: RFC 3339, UTC. */
  readonly recorded_at: string;
}

export interface TrackingQueries {
  /** Trackings that an identifier names (see `identifiersOf`), most recently active first. */
  readonly byIdentifier: (identifier: string) => Promise<readonly TrackingHead[]>;
  /** The whole row, or undefined. */
  readonly byId: (id: string) => Promise<TrackingRow | undefined>;
}

const HEAD =
  't.id, t.owner_kind, t.owner_id, t.number, t.generation, t.writers, t.revision, t.last_active, t.recorded_at';

interface HeadRow extends Omit<TrackingHead, 'owner'> {
  readonly identifier: string;
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
}

export function createTrackingQueries(pool: Pool): TrackingQueries {
  const heads = new DataLoader<string, readonly TrackingHead[]>(
    async (identifiers) => {
      const { rows } = await pool.query<HeadRow>({
        name: 'tracking-heads',
        text: `select number as identifier, ${HEAD} from timeline.trackings t where number = any ($1)
               union all
               select i.identifier, ${HEAD} from timeline.identifiers i join timeline.trackings t on t.id = i.tracking where i.identifier = any ($1)`,
        values: [identifiers],
      });
      const found = new Map<string, TrackingHead[]>();
      for (const { identifier, owner_kind, owner_id, ...head } of rows) {
        const list = found.get(identifier) ?? [];
        list.push({ ...head, owner: { kind: owner_kind, id: owner_id } });
        found.set(identifier, list);
      }
      return identifiers.map((identifier) => (found.get(identifier) ?? []).sort(mostRecentFirst));
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

  return { byIdentifier: (identifier) => heads.load(identifier), byId: (id) => rows.load(id) };
}

type Recency = Pick<TrackingHead, 'last_active' | 'generation' | 'id'>;

/** The tracking that a number means today comes first. */
export function mostRecentFirst(a: Recency, b: Recency): number {
  if (a.last_active !== b.last_active) return a.last_active < b.last_active ? 1 : -1;
  return b.generation - a.generation || (a.id < b.id ? -1 : 1);
}
