/** Queries on the timeline read model. Concurrent queries of one kind are combined into one database query. */
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { REUSE_AFTER_MS, type Owner } from '../../events/trackings/events.js';
import { rowFrom } from './stored.js';
import type { TrackingRow } from './row.js';

/** The members of a tracking that are needed to resolve a number. */
export interface TrackingHead {
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly generation: number;
  readonly writers: readonly string[];
  /** Last revision of the stream in the read model. It changes with every change of the timeline. */
  readonly revision: number;
  /** Time of the latest scan; '' if there is none. */
  readonly last_active: string;
  /** Time of the last event in the row: RFC 3339, UTC. */
  readonly recorded_at: string;
  /** Time since when the requested identifier has referred to this tracking: RFC 3339, UTC. */
  readonly since: string;
}

export type TrackingQueries = ReturnType<typeof createTrackingQueries>;

const HEAD =
  't.id, t.owner_kind, t.owner_id, t.number, t.generation, t.writers, t.revision, t.last_active, t.recorded_at';

interface HeadRow extends Omit<TrackingHead, 'owner'> {
  readonly identifier: string;
  readonly owner_kind: Owner['kind'];
  readonly owner_id: string;
}

export function createTrackingQueries(pool: Pool) {
  const heads = new DataLoader<string, readonly TrackingHead[]>(
    async (identifiers) => {
      const { rows } = await pool.query<HeadRow>({
        name: 'tracking-heads',
        text: `select number as identifier, opened_at as since, ${HEAD} from timeline.trackings t where number = any ($1)
               union all
               select i.identifier, i.since, ${HEAD} from timeline.identifiers i join timeline.trackings t on t.id = i.tracking where i.identifier = any ($1)`,
        values: [identifiers],
      });
      const found = new Map<string, TrackingHead[]>();
      for (const { identifier, owner_kind, owner_id, ...head } of rows) {
        const list = found.get(identifier) ?? [];
        list.push({ ...head, owner: { kind: owner_kind, id: owner_id } });
        found.set(identifier, list);
      }
      return identifiers.map((identifier) => sortByRelevance(found.get(identifier) ?? [], [identifier]));
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

  return {
    /** Trackings that an identifier refers to (see `identifiersOf`), sorted by `sortByRelevance`. */
    byIdentifier: (identifier: string): Promise<readonly TrackingHead[]> => heads.load(identifier),
    /** Trackings that any of the identifiers refers to, each once, sorted by `sortByRelevance`. */
    async byAnyIdentifier(identifiers: readonly string[]): Promise<readonly TrackingHead[]> {
      const found = (await Promise.all(identifiers.map((identifier) => heads.load(identifier)))).flat();
      return sortByRelevance(firstNamings(found), identifiers);
    },
    /** The whole row, or undefined. */
    byId: (id: string): Promise<TrackingRow | undefined> => rows.load(id),
  };
}

/** If several of the identifiers refer to a tracking, the earliest time counts. */
function firstNamings<T extends Life>(found: readonly T[]): T[] {
  const first = new Map<string, T>();
  for (const life of found) {
    const known = first.get(life.id);
    if (!known || life.since < known.since) first.set(life.id, life);
  }
  return [...first.values()];
}

type Life = Pick<TrackingHead, 'id' | 'owner' | 'number' | 'generation' | 'since' | 'recorded_at'>;

/**
 * Sorts trackings, so that the current meaning of an identifier comes first:
 *
 * 1. For an order's own number: the parcel of that order. For any other identifier: the parcel of the first user of the
 *    identifier.
 * 2. The other trackings, by time.
 * 3. Earlier generations of a number.
 *
 * Later users of an identifier, of whatever kind, do not change its meaning. Exception: the parcel has had no events
 * for so long that the identifier may be reused.
 */
export function sortByRelevance<T extends Life>(lives: readonly T[], identifiers: readonly string[]): T[] {
  const byTime = [...lives].sort((a, b) => compare(a.since, b.since) || compare(a.id, b.id));
  const own = byTime.find(({ owner, number }) => owner.kind === 'business' && identifiers.includes(number));
  const holder = own ?? holderOf(byTime);
  const isOver = (life: T): boolean =>
    lives.some((other) => isOneNumber(other, life) && other.generation > life.generation);
  const rank = (life: T): number => (isOver(life) ? 2 : isOneNumber(life, holder!) ? 0 : 1);
  return byTime.sort((a, b) => rank(a) - rank(b));
}

/** The first user of the identifier; after a long time without events, the next user. `byTime`: oldest first. */
function holderOf<T extends Life>(byTime: readonly T[]): T | undefined {
  return byTime.reduce<T | undefined>((holder, life) => {
    if (!holder) return life;
    const heard = byTime
      .filter((one) => one.since <= life.since && isOneNumber(one, holder))
      .map(({ recorded_at }) => Date.parse(recorded_at));
    return Date.parse(life.since) - Math.max(...heard) > REUSE_AFTER_MS ? life : holder;
  }, undefined);
}

/** Whether both are generations of the same number of the same owner. */
const isOneNumber = (a: Life, b: Life): boolean =>
  a.owner.kind === b.owner.kind && a.owner.id === b.owner.id && a.number === b.number;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
