/** Events as rows of log.events. */
import pg from 'pg';
import type { JsonObject, StoredEvent } from '../../events/core/log.js';
import { LogEvent } from '../reading/log-event.js';
import { toPosition } from './position.js';

export interface EventRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** JSON texts, not yet parsed. */
  readonly data: string;
  readonly metadata: string;
}

export const COLUMNS = 'position, stream, revision, id, type, version, data, metadata';
const JSON_OID = 114;
/** Type configuration for queries of such rows: returns JSON as text. */
export const jsonAsText: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === JSON_OID ? (text: string) => text : pg.types.getTypeParser(oid, format)) as never,
};

/** Events of one command have identical metadata texts, so the metadata is parsed once for all of them. */
export function toEvents(rows: readonly EventRow[]): StoredEvent[] {
  let text: string | undefined;
  let metadata: JsonObject = {};
  return rows.map((row) => {
    if (row.metadata !== text) metadata = JSON.parse((text = row.metadata)) as JsonObject;
    return new LogEvent(
      toPosition(row.position),
      row.stream,
      row.revision,
      row.id,
      row.type,
      row.version,
      row.data,
      metadata,
    );
  });
}
