/**
 * Questions to the read model of EPCIS events: the scans of somebody's own shipments, in the order of their times.
 */
import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { Owner } from '../../events/trackings/events.js';
import type { Database } from '../core/database.js';
import { ownerKey, type EpcisEventRow } from './epcis-events.js';

/** Where a page begins. */
export interface Cursor {
  /** With the event that it names, or after it. */
  readonly inclusive: boolean;
  readonly instant: string;
  readonly id: string;
}

/** One thing that an event must be: any of these. */
export interface Candidates {
  readonly statuses: readonly string[];
  /** The status begins with one of these. */
  readonly statusPrefixes?: readonly string[];
  readonly raws?: readonly string[];
  /** Any of the raws that are URIs. */
  readonly uriRaws?: boolean;
  readonly reasons?: readonly string[];
}

export interface EpcisQuestion {
  readonly asker: Owner;
  /** Ids of trackings, all of them the asker's to see; absent: all that are. */
  readonly trackings?: readonly string[];
  /** Instants: from and with, up to and without. */
  readonly from?: string;
  readonly before?: string;
  /** Each must be met; more than the wanted events may meet them, never fewer. */
  readonly candidates: readonly Candidates[];
  /** Stored ids, or the producers'. */
  readonly ids?: { readonly stored: readonly string[]; readonly given: readonly string[] };
  readonly after?: Cursor;
  /** The latest first. */
  readonly descending?: boolean;
  readonly limit: number;
}

export type EpcisHit = Pick<EpcisEventRow, 'id' | 'tracking' | 'instant'>;
export type EpcisQueries = (question: EpcisQuestion) => Promise<readonly EpcisHit[]>;

type Events = ExpressionBuilder<Database, 'epcis_events.events'>;

export function createEpcisQueries(database: Kysely<Database>): EpcisQueries {
  return async ({ asker, trackings, from, before, candidates, ids, after, descending = false, limit }) => {
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
    const own = narrowed().where('owner', '=', ownerKey(asker));
    // Shipments are given to providers alone.
    if (asker.kind !== 'provider') return own.execute();
    const given = narrowed().where(
      'tracking',
      'in',
      database
        .selectFrom('epcis_events.trackings')
        .select('id')
        .where(sql<SqlBool>`writers @> array[${asker.id}]`)
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

/** No event has it: a list may not be empty. */
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
