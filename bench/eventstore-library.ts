/** The client library of EventStoreDB, called directly, as the reference for the log on EventStoreDB. */
import { EventStoreDBClient, jsonEvent, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';
import type { JsonObject, EncodedEvent } from '../src/events/core/log.js';
import { streamOf } from './streams.js';
import { seconds } from './support.js';

export interface Library {
  /** Calls `BatchAppend` of the library. */
  append(event: EncodedEvent): Promise<void>;
  /** Returns events per second of a bare subscription that reads the first `events` events of the log. */
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
