/** Events as the rows of log.events tell them. */
import pg from 'pg';
import type { JsonObject, Position, Revision, StoredEvent } from '../../events/core/log.js';
import { toPosition } from './position.js';

export interface EventRow {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** JSON texts, not parsed yet. */
  readonly data: string;
  readonly metadata: string;
}

export const COLUMNS = 'position, stream, revision, id, type, version, data, metadata';
const JSON_OID = 114;
/** For queries of such rows. */
export const jsonAsText: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === JSON_OID ? (text: string) => text : pg.types.getTypeParser(oid, format)) as never,
};

/**
 * An event as rows tell it, or as it was just appended. Its data is parsed when it is asked for: a member of the class,
 * which a spread leaves behind (`decoded` does not).
 */
export class LogEvent implements StoredEvent {
  #data: JsonObject | undefined;

  constructor(
    readonly position: Position,
    readonly stream: string,
    readonly revision: Revision,
    readonly id: string,
    readonly type: string,
    readonly version: number,
    readonly json: string,
    readonly metadata: JsonObject,
  ) {}

  get data(): JsonObject {
    return (this.#data ??= JSON.parse(this.json) as JsonObject);
  }
}

/** The events of one command have the same metadata, to the letter: it is parsed once for all of them. */
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
