/**
 * Events that were just appended to one stream, for the readers of this process. The event objects are created for the
 * first reader.
 */
import type { StoredEvent } from '../../events/core/log.js';
import { elementAt, elementBehind } from '../../sql/rows.js';
import { toPosition } from './position.js';
import { LogEvent } from '../reading/log-event.js';
import type { Run } from './tail.js';
import { firstRevision, type SerializedAppend } from './written-append.js';

/** Length of a UUID and the comma after it. */
const ID = 37;

export class AppendedRun implements Run {
  readonly #append: SerializedAppend;
  #events: readonly StoredEvent[] | undefined;

  constructor(
    append: SerializedAppend,
    readonly first: bigint,
  ) {
    this.#append = append;
  }

  get stream(): string {
    return this.#append.stream;
  }

  get length(): number {
    return this.#append.length;
  }

  get events(): readonly StoredEvent[] {
    return (this.#events ??= this.#read());
  }

  #read(): readonly StoredEvent[] {
    const { stream, length, types, versions, metadata, ids, data } = this.#append;
    const revision = firstRevision(this.#append);
    let at = 0;
    return Array.from({ length }, (_, n) => {
      const event = new LogEvent(
        toPosition(this.first + BigInt(n)),
        stream,
        revision + n,
        ids.slice(ID * n, ID * (n + 1) - 1),
        types[n]!,
        versions[n]!,
        elementAt(data, at),
        metadata[n]!,
      );
      at = elementBehind(data, at);
      return event;
    });
  }
}
