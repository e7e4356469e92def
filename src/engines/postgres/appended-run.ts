/**
 * What was just appended to one stream, for the readers of this process. Until the first of them comes its events are no objects, only
 * their places in the arguments of the append: these are few and mostly outside the heap, while the garbage collector would
 * copy some hundred thousand objects a second in a burst, for readers who come much later.
 */
import type { Revision, StoredEvent } from '../../events/log.js';
import { elementAt, elementBehind, integerAt } from '../../sql/rows.js';
import type { AppendArguments } from './append-arguments.js';
import { toPosition } from './position.js';
import { LogEvent } from './read-events.js';
import type { Run } from './tail.js';

/** A UUID and what separates it from the next one. */
const ID = 37;

export interface Place {
  /** Which event of the call is the first one, from 0. */
  readonly index: number;
  /** Where its data begins. */
  readonly at: number;
}

export class AppendedRun implements Run {
  #events: readonly StoredEvent[] | undefined;

  /** `revision`: of its first event. */
  constructor(
    readonly stream: string,
    readonly first: bigint,
    readonly length: number,
    readonly revision: Revision,
    readonly call: AppendArguments,
    readonly place: Place,
  ) {}

  get events(): readonly StoredEvent[] {
    return (this.#events ??= this.#read());
  }

  #read(): readonly StoredEvent[] {
    const { stream, first, length, revision, call } = this;
    let { index, at } = this.place;
    return Array.from({ length }, (_, n) => {
      const kind = integerAt(call.typeOf, index) - 1;
      const event = new LogEvent(
        toPosition(first + BigInt(n)), stream, revision + n, call.ids.slice(1 + ID * index, ID * (index + 1)),
        call.types[kind]!, call.versions[kind]!, elementAt(call.data, at), call.metadata[integerAt(call.metadataOf, index) - 1]!);
      at = elementBehind(call.data, at);
      index++;
      return event;
    });
  }
}
