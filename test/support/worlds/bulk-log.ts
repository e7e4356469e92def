/**
 * A log for commands that write many events: their appends are collected in memory, and written to the real log in bulk.
 */
import type {
  AppendOutcome,
  EventLog,
  JsonObject,
  Position,
  Revision,
  StoredEvent,
  StreamAppend,
} from '../../../src/events/core/log.js';

export interface BulkLog extends EventLog {
  /**
   * Appends the collected events to the real log, in the order of the commands. Returns the position of the last event;
   * undefined if there was none. Throws if a stream had other events already.
   */
  flush(): Promise<Position | undefined>;
}

/**
 * Commands read streams that they wrote from memory, and all others from `log`. They must only write new streams, so
 * the appends of one stream never conflict.
 */
export function createBulkLog(log: EventLog): BulkLog {
  const streams = new Map<string, StoredEvent[]>();
  /** The n-th append of each stream since the last flush. The log takes a stream once per call. */
  const turns: Map<string, StreamAppend>[] = [];
  let collected = 0;

  function collect(append: StreamAppend): AppendOutcome {
    const { stream, events, expected } = append;
    const past = streams.get(stream) ?? [];
    if (past.length - 1 !== (expected === 'no-stream' ? -1 : expected))
      return { outcome: 'conflict', actual: past.length - 1 };
    for (const { json, ...event } of events)
      past.push({
        ...event,
        data: JSON.parse(json) as JsonObject,
        stream,
        revision: past.length,
        position: String((collected += 1)).padStart(20, '0'),
      });
    streams.set(stream, past);
    const turn = turns.findLastIndex((appends) => appends.has(stream)) + 1;
    (turns[turn] ??= new Map<string, StreamAppend>()).set(stream, append);
    const { revision, position } = past.at(-1)!;
    return { outcome: 'appended', revision, position };
  }

  return {
    append: (appends) => Promise.resolve(appends.map(collect)),
    async *read(stream: string, from: Revision = 0) {
      const past = streams.get(stream);
      if (past) yield* past.slice(from);
      else yield* log.read(stream, from);
    },
    async readMany(names) {
      const found = new Map(await log.readMany(names.filter((name) => !streams.has(name))));
      for (const name of names) if (streams.has(name)) found.set(name, streams.get(name)!);
      return found;
    },
    async flush() {
      let last: Position | undefined;
      for (const turn of turns.splice(0)) {
        const appends = [...turn.values()];
        const outcomes = await log.append(appends);
        outcomes.forEach((one, index) => {
          if (one.outcome !== 'appended' || one.repeated)
            throw new Error(`The stream ${appends[index]!.stream} exists already.`);
          if (last === undefined || one.position > last) last = one.position;
        });
      }
      return last;
    },
    pick: (events) => log.pick(events),
    subscribe: (from, options) => log.subscribe(from, options),
    wakeAwaited: () => log.wakeAwaited(),
    head: () => log.head(),
    isPosition: (position) => log.isPosition(position),
    close: () => Promise.resolve(),
  };
}
