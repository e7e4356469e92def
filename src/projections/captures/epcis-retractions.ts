/** The retractions in the read model of EPCIS events. An error declaration is returned next to its event. */
import type { ClientBase } from 'pg';
import { declarationName } from '../../events/captures/names.js';
import type { StoredEvent } from '../../events/core/log.js';
import type { Retraction } from '../../events/trackings/events.js';
import { arrayOf, insertRows, type Types } from '../../sql/rows.js';

/** A retraction that applies. */
export interface EpcisRetractionRow {
  readonly tracking: string;
  /** The event id of the retracted scan. */
  readonly event_id: string;
  readonly provider: string;
  /** `declarationName` of the retraction. */
  readonly declaration: string;
  readonly cause: string | null;
}

type RetractionKey = Pick<EpcisRetractionRow, 'tracking' | 'event_id' | 'provider'>;
/** Without a declaration if the retraction was withdrawn. */
export type RetractionChange = RetractionKey & Partial<Pick<EpcisRetractionRow, 'declaration' | 'cause'>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Id of the event or request that led to an event; null if it is no UUID. */
export function causeOf({ metadata }: StoredEvent): string | null {
  const cause = metadata['$causationId'];
  return typeof cause === 'string' && UUID.test(cause) ? cause : null;
}

/** `event`: a retraction, or the withdrawal of earlier ones. */
export function retractionChange(tracking: string, event: StoredEvent): RetractionChange {
  const { event_id, retracts, provider } = event.data as unknown as Retraction;
  const key = { tracking, event_id: retracts, provider };
  return event.type === 'TrackingEventRetracted'
    ? { ...key, declaration: declarationName(provider, event_id), cause: causeOf(event) }
    : key;
}

/** Replaces or removes these retractions. Returns the running statements. */
export function saveRetractions(
  db: ClientBase,
  schema: string,
  changes: readonly RetractionChange[],
): Promise<unknown>[] {
  if (changes.length === 0) return [];
  const columns = (['tracking', 'event_id', 'provider'] as const).map((name) =>
    arrayOf(
      RETRACTION[name],
      changes.map((change) => change[name]),
    ),
  );
  return [
    db.query(
      `delete from ${schema}.retractions using unnest($1::uuid[], $2::text[], $3::text[]) as n (tracking, event_id, provider)
       where retractions.tracking = n.tracking and retractions.event_id = n.event_id and retractions.provider = n.provider`,
      columns,
    ),
    insertRows(
      db,
      `${schema}.retractions`,
      RETRACTION,
      changes.filter((change): change is EpcisRetractionRow => change.declaration !== undefined),
    ),
  ];
}

const RETRACTION = {
  tracking: 'uuid',
  event_id: 'text',
  provider: 'text',
  declaration: 'uuid',
  cause: 'uuid',
} as const satisfies Types;
