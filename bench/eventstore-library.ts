/** The client library of EventStoreDB alone, as its own users call it: what our log on it is measured against. */
import { EventStoreDBClient, jsonEvent, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';
import type { JsonObject, NewEvent } from '../src/events/core/log.js';
import { streamOf } from './streams.js';
import { seconds } from './support.js';

export interface Library {
  /** Its `BatchAppend`. */
  append(event: NewEvent): Promise<void>;
  /** Events per second of a bare subscription, from the start of the log to its `events`-th. */
  catchUp(events: number): Promise<number>;
  close(): Promise<void>;
}

export function openLibrary(url: string): Library {
  const client = EventStoreDBClient.connectionString(url);
  return {
    async append({ id, type, version, json, metadata }) {
      const event = jsonEvent({
        id,
        type,
        data: JSON.parse(json) as JsonObject,
        metadata: { ...metadata, $version: version },
      });
      await client.appendToStream(streamOf(id), event, { expectedRevision: NO_STREAM });
    },
    async catchUp(events) {
      const filter = streamNameFilter({ regex: '^[^$]', maxSearchWindow: 128, checkpointInterval: 1 });
      const subscription = client.subscribeToAll({ fromPosition: START, filter }, { highWaterMark: 1_000 });
      let read = 0;
      const took = await seconds(async () => {
        for await (const { event } of subscription) if (event && ++read === events) break;
      });
      return events / took;
    },
    close: () => client.dispose(),
  };
}
