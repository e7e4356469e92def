/** Questions to the timeline read model. Concurrent questions of one kind go to the database as one. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { REUSE_AFTER_MS, type Owner } from '../../events/trackings/events.js';
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
  /** When it was opened: RFC 3339, UTC. */
  readonly opened_at: string;
}

export interface TrackingQueries {
  /** Trackings that an identifier names (see `identifiersOf`); what it means today comes first (`meantFirst`). */
  readonly byIdentifier: (identifier: string) => Promise<readonly TrackingHead[]>;
  /** The whole row, or undefined. */
  readonly byId: (id: string) => Promise<TrackingRow | undefined>;
}

const HEAD =
  't.id, t.owner_kind, t.owner_id, t.number, t.generation, t.writers, t.revision, t.last_active, t.recorded_at, t.opened_at';

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
      return identifiers.map((identifier) => meantFirst(found.get(identifier) ?? []));
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

type Life = Pick<TrackingHead, 'id' | 'owner' | 'generation' | 'opened_at' | 'recorded_at'>;

/**
 * The tracking that a number means today comes first: an order's of this service, else the one that was opened first.
 * Nobody who opens the number later changes what it says, unless it was silent for so long that it stands for another
 * parcel.
 */
export function meantFirst<T extends Life>(lives: readonly T[]): T[] {
  const isOver = new Map(lives.map((life) => [life, lives.some((other) => follows(other, life))]));
  const rank = (life: T): number => (isOver.get(life) ? 2 : 0) + (life.owner.kind === 'business' ? 0 : 1);
  return [...lives].sort((a, b) => rank(a) - rank(b) || compare(a.opened_at, b.opened_at) || compare(a.id, b.id));
}

/** Whether `other` is what the number stands for after `life`. */
const follows = (other: Life, life: Life): boolean =>
  other.owner.kind === life.owner.kind && other.owner.id === life.owner.id
    ? other.generation > life.generation
    : Date.parse(other.opened_at) - Date.parse(life.recorded_at) > REUSE_AFTER_MS;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
