/** Queries on the read model of EPCIS events: scans of the caller's own shipments, sorted by time. */
import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Owner } from '../../events/trackings/events.js';
import type { Database } from '../core/database.js';
import { ownerKey, type EpcisEventRow } from './epcis-events.js';
import type { EpcisRetractionRow } from './epcis-retractions.js';

/** Where a page begins. */
export interface Cursor {
  readonly instant: string;
  readonly id: string;
  /** Number of entries of the named event to omit, such as the event before its error declaration. Absent: all. */
  readonly skip?: number;
}

/** One condition on an event. It matches if any of these alternatives matches. */
export interface Candidates {
  readonly statuses: readonly string[];
  /** Prefixes of the status. */
  readonly statusPrefixes?: readonly string[];
  readonly raws?: readonly string[];
  /** Any raw code that is a URI. */
  readonly uriRaws?: boolean;
  readonly reasons?: readonly string[];
  /** Any captured event. */
  readonly captured?: boolean;
}

export interface EpcisQuery {
  readonly caller: Owner;
  /** Ids of trackings that the caller may read. Absent: all of the caller's trackings. */
  readonly trackings?: readonly string[];
  /** Times: `from` is inclusive, `before` exclusive. */
  readonly from?: string;
  readonly before?: string;
  /** An event must match all of these conditions. They may select more events than requested, but never fewer. */
  readonly candidates: readonly Candidates[];
  /** Ids of stored events, or ids that producers assigned. */
  readonly ids?: { readonly stored: readonly string[]; readonly given: readonly string[] };
  readonly after?: Cursor;
  /** Latest first. */
  readonly descending?: boolean;
  readonly limit: number;
}

export type EpcisHit = Pick<EpcisEventRow, 'id' | 'instant'>;
/** A scan of a hit. `isVisible`: the caller may see its tracking. */
export type EpcisScan = Omit<EpcisEventRow, 'owner' | 'status' | 'raw' | 'reason'> & { readonly isVisible: boolean };

export type EpcisQueries = ReturnType<typeof createEpcisQueries>;

const MAX_SCANS = 10_000;

type Events = ExpressionBuilder<Database, 'epcis_events.events'>;

/** `maxScans`: the maximum number of scans that are read at once. A captured event has up to 5,000. */
export function createEpcisQueries(database: Kysely<Database>, maxScans = MAX_SCANS) {
  /** Ids of the trackings of others that the caller was given access to. Only providers can be given access. */
  const givenTo = (caller: Owner) =>
    database
      .selectFrom('epcis_events.trackings')
      .select('id')
      .where(sql<SqlBool>`writers @> array[${caller.id}]`)
      .where(sql<SqlBool>`writers <> '{}'`);

  /** One hit for each event that the caller may see, whichever of its parcels match. */
  async function find(query: EpcisQuery): Promise<readonly EpcisHit[]> {
    const { caller, trackings, from, before, candidates, ids, after, descending = false, limit } = query;
    const direction = descending ? 'desc' : 'asc';
    const narrowed = () => {
      let query = database
        .selectFrom('epcis_events.events')
        .select(['id', 'instant'])
        .distinct()
        .orderBy('instant', direction)
        .orderBy('id', direction)
        .limit(limit);
      if (trackings) query = query.where('tracking', 'in', [...trackings]);
      if (from !== undefined) query = query.where('instant', '>=', from);
      if (before !== undefined) query = query.where('instant', '<', before);
      if (after)
        query = query.where(
          sql<SqlBool>`(instant, id) ${sql.raw((descending ? '<' : '>') + (after.skip === undefined ? '' : '='))} (${after.instant}, ${after.id}::uuid)`,
        );
      if (ids)
        query = query.where((e) =>
          e.or([e('scan', 'in', [...ids.stored, NONE]), e('event_id', 'in', [...ids.given, ''])]),
        );
      for (const one of candidates) query = query.where((e) => e.or(meets(e, one)));
      return query;
    };
    const own = narrowed().where('owner', '=', ownerKey(caller));
    if (caller.kind !== 'provider') return own.execute();
    const given = narrowed().where('tracking', 'in', givenTo(caller));
    const both = database
      .selectFrom(own.as('own'))
      .selectAll()
      .union(database.selectFrom(given.as('given')).selectAll());
    return database
      .selectFrom(both.as('mine'))
      .selectAll()
      .orderBy('instant', direction)
      .orderBy('id', direction)
      .limit(limit)
      .execute();
  }

  return {
    find,

    /**
     * All scans of hits, including scans that the caller may not see. Returns the scans of the first hits only if there
     * are more than `maxScans`. `descending`: the order of the hits.
     */
    async scansOf(
      hits: readonly EpcisHit[],
      { caller, descending = false }: Pick<EpcisQuery, 'caller' | 'descending'>,
    ): Promise<readonly EpcisScan[]> {
      if (hits.length === 0) return [];
      const direction = descending ? 'desc' : 'asc';
      const isOwn = sql<boolean>`owner = ${ownerKey(caller)}`;
      const isVisible =
        caller.kind === 'provider' ? sql<boolean>`(${isOwn} or tracking in (${givenTo(caller)}))` : isOwn;
      const scans = await database
        .selectFrom('epcis_events.events')
        .select(['id', 'scan', 'tracking', 'instant', 'event_id', 'provider', 'hash', 'cause'])
        .select(isVisible.as('isVisible'))
        .where(
          'id',
          'in',
          hits.map(({ id }) => id),
        )
        .orderBy('instant', direction)
        .orderBy('id', direction)
        .orderBy('scan')
        .limit(maxScans)
        .execute();
      const last = scans.at(-1)?.id;
      return scans.length < maxScans || last === hits[0]!.id ? scans : scans.filter(({ id }) => id !== last);
    },

    /** The retractions of these scans by their providers. */
    retractionsOf: (scans: readonly EpcisScan[]): Promise<readonly EpcisRetractionRow[]> =>
      scans.length === 0
        ? Promise.resolve([])
        : database
            .selectFrom('epcis_events.retractions')
            .selectAll()
            .where('tracking', 'in', distinct(scans.map(({ tracking }) => tracking)))
            .where('event_id', 'in', distinct(scans.map(({ event_id }) => event_id)))
            .execute(),
  };
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

/** No event has this id. An SQL list must not be empty. */
const NONE = '00000000-0000-0000-0000-000000000000';

function meets(
  e: Events,
  { statuses, statusPrefixes = [], raws = [], uriRaws = false, reasons = [], captured = false }: Candidates,
): Expression<SqlBool>[] {
  return [
    e('status', 'in', [...statuses, '']),
    ...statusPrefixes.map((prefix) => e('status', 'like', `${prefix}%`)),
    ...(raws.length > 0 ? [e('raw', 'in', [...raws])] : []),
    ...(uriRaws ? [e('raw', 'like', '%:%')] : []),
    ...(captured ? [e('hash', 'is not', null)] : []),
    ...(reasons.length > 0 ? [e('reason', 'in', [...reasons])] : []),
  ];
}
