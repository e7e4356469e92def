/**
 * An event log in memory that implements as much of the interface as commands need. A test can run code before an
 * append.
 */
import type { AppendOutcome, EventLog, JsonObject, StoredEvent, StreamAppend } from '../../../src/events/core/log.js';

export interface MemoryLog extends EventLog {
  readonly streams: ReadonlyMap<string, readonly StoredEvent[]>;
  /** Number of requested appends and stream reads. */
  readonly calls: { appends: number; reads: number };
  /** Runs `work` once, before the next append is checked. */
  interrupt(work: () => Promise<unknown> | void): void;
}

export function createMemoryLog(): MemoryLog {
  const streams = new Map<string, StoredEvent[]>();
  const calls = { appends: 0, reads: 0 };
  let position = 0;
  let interruption: (() => Promise<unknown> | void) | undefined;

  function appendOne({ stream, events, expected }: StreamAppend): AppendOutcome {
    const stored = streams.get(stream) ?? [];
    const from = expected === 'no-stream' ? 0 : expected + 1;
    if (stored.length !== from) {
      const there = stored.slice(from, from + events.length);
      const last = there.at(-1);
      const same = last && there.length === events.length && events.every(({ id }, index) => there[index]!.id === id);
      return same
        ? { outcome: 'appended', revision: last.revision, position: last.position, repeated: true }
        : { outcome: 'conflict', actual: stored.length - 1 };
    }
    const added = events.map((event, index): StoredEvent => {
      const { id, type, version, json, metadata } = event;
      return {
        id,
        type,
        version,
        data: JSON.parse(json) as JsonObject,
        metadata,
        stream,
        revision: from + index,
        position: String((position += 1)).padStart(6, '0'),
      };
    });
    streams.set(stream, [...stored, ...added]);
    return { outcome: 'appended', revision: added.at(-1)!.revision, position: added.at(-1)!.position };
  }

  const unused = () => {
    throw new Error('No part of what commands need.');
  };
  return {
    streams,
    calls,
    interrupt: (work) => void (interruption = work),
    async append(appends) {
      calls.appends++;
      const work = interruption;
      interruption = undefined;
      await work?.();
      return appends.map(appendOne);
    },
    async *read(stream, from = 0) {
      calls.reads++;
      yield* (streams.get(stream) ?? []).slice(from);
    },
    async readMany(names) {
      calls.reads += names.length;
      return new Map(names.flatMap((name) => (streams.has(name) ? [[name, streams.get(name)!] as const] : [])));
    },
    pick: unused,
    subscribe: unused,
    wakeAwaited: unused,
    head: unused,
    isPosition: unused,
    close: () => Promise.resolve(),
  };
}
