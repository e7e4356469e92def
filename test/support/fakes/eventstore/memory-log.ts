/**
 * The state of the EventStoreDB test server: one log in memory, with the real server's rules for expected revisions and
 * retries.
 */
import { EventEmitter } from 'node:events';

export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  /** Byte offset in the log, as the real server counts; commit and prepare position of a gRPC append are equal. */
  readonly position: bigint;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type Written = { readonly last: Recorded } | { readonly current: number };

/** Size overhead of a record on disk, similar to the real server. Its purpose is that positions are not consecutive. */
const RECORD_OVERHEAD = 117n;

/** Emits `appended` after every write. */
export class MemoryLog extends EventEmitter {
  readonly all: Recorded[] = [];
  readonly #streams = new Map<string, Recorded[]>();
  #end = 0n;

  constructor() {
    super();
    this.setMaxListeners(0);
    // A real log is never empty: it starts with system streams.
    this.append('$users', -1, [systemEvent('$UserCreated')]);
    this.append('$$$settings', -1, [systemEvent('$metadata')]);
  }

  /** Position of the next event. */
  get end(): bigint {
    return this.#end;
  }

  stream(name: string): readonly Recorded[] | undefined {
    return this.#streams.get(name);
  }

  /**
   * Appends after revision `expected` (-1: the stream does not exist). If the stream has later events and the same ids
   * are at the expected place, nothing is written and the original response is returned. For any other difference, the
   * current revision is returned.
   */
  append(stream: string, expected: number, events: readonly Proposed[]): Written {
    const existing = this.#streams.get(stream) ?? [];
    const current = existing.length - 1;
    if (expected < current) {
      const same = events.every((event, index) => existing[expected + 1 + index]?.id === event.id);
      const last = existing[expected + events.length];
      return same && last ? { last } : { current };
    }
    if (expected > current) return { current };
    for (const event of events) existing.push(this.#record(stream, existing.length, event));
    this.#streams.set(stream, existing);
    const last = existing.at(-1);
    if (!last) throw new Error('An append holds at least one event.');
    this.emit('appended');
    return { last };
  }

  #record(stream: string, revision: number, event: Proposed): Recorded {
    const recorded = { ...event, stream, revision, position: this.#end, created: Date.now() };
    this.#end += RECORD_OVERHEAD + BigInt(event.data.length + event.metadata.length);
    this.all.push(recorded);
    return recorded;
  }
}

export function systemEvent(type: string): Proposed {
  return {
    id: crypto.randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: new Uint8Array(),
  };
}
