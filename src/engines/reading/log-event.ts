/** A stored event whose data is parsed on first access: most readers only store or hash the JSON text. */
import type { JsonObject, Position, Revision, StoredEvent } from '../../events/core/log.js';

/** `data` is a getter of the class, which an object spread does not copy (`decoded` does). */
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
