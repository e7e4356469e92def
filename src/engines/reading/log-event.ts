/** A stored event whose data is parsed when it is asked for: most readers keep or hash it as it is. */
import type { JsonObject, Position, Revision, StoredEvent } from '../../events/core/log.js';

/** `data` is a member of the class, which a spread leaves behind (`decoded` does not). */
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
