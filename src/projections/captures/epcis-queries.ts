/** Queries on the read model of EPCIS events: scans of the caller's own shipments, sorted by time. */
import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Owner } from '../../events/trackings/events.js';
import type { Database } from '../core/database.js';
import { ownerKey, type EpcisEventRow } from './epcis-events.js';

/** Where a page begins. */
export interface Cursor {
  /** True: at the event that the cursor names. False: after it. */
  readonly inclusive: boolean;
  readonly instant: string;
  readonly id: string;
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

export type EpcisHit = Pick<EpcisEventRow, 'id' | 'tracking' | 'instant'>;
export type EpcisQueries = (query: EpcisQuery) => Promise<readonly EpcisHit[]>;

type Events = ExpressionBuilder<Database, 'epcis_events.events'>;

export function createEpcisQueries(database: Kysely<Database>): EpcisQueries {
  return async ({ caller, trackings, from, before, candidates, ids, after, descending = false, limit }) => {
    const direction = descending ? 'desc' : 'asc';
    const narrowed = () => {
      let query = database
        .selectFrom('epcis_events.events')
        .select(['id', 'tracking', 'instant'])
        .orderBy('instant', direction)
        .orderBy('id', direction)
        .limit(limit);
      if (trackings) query = query.where('tracking', 'in', [...trackings]);
      if (from !== undefined) query = query.where('instant', '>=', from);
      if (before !== undefined) query = query.where('instant', '<', before);
      if (after)
        query = query.where(
          sql<SqlBool>`(instant, id) ${sql.raw((descending ? '<' : '>') + (after.inclusive ? '=' : ''))} (${after.instant}, ${after.id}::uuid)`,
        );
      if (ids)
        query = query.where((e) =>
          e.or([e('id', 'in', [...ids.stored, NONE]), e('event_id', 'in', [...ids.given, ''])]),
        );
      for (const one of candidates) query = query.where((e) => e.or(meets(e, one)));
      return query;
    };
    const own = narrowed().where('owner', '=', ownerKey(caller));
    // Only providers can be given access to shipments of others.
    if (caller.kind !== 'provider') return own.execute();
    const given = narrowed().where(
      'tracking',
      'in',
      database
        .selectFrom('epcis_events.trackings')
        .select('id')
        .where(sql<SqlBool>`writers @> array[${caller.id}]`)
        .where(sql<SqlBool>`writers <> '{}'`),
    );
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
  };
}

/** No event has this id. An SQL list must not be empty. */
const NONE = '00000000-0000-0000-0000-000000000000';

function meets(
  e: Events,
  { statuses, statusPrefixes = [], raws = [], uriRaws = false, reasons = [] }: Candidates,
): Expression<SqlBool>[] {
  return [
    e('status', 'in', [...statuses, '']),
    ...statusPrefixes.map((prefix) => e('status', 'like', `${prefix}%`)),
    ...(raws.length > 0 ? [e('raw', 'in', [...raws])] : []),
    ...(uriRaws ? [e('raw', 'like', '%:%')] : []),
    ...(reasons.length > 0 ? [e('reason', 'in', [...reasons])] : []),
  ];
}
