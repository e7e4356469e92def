/**
 * An append as it waits in the queue, and as the readers of this process find it afterwards. It is serialized, so that
 * its events are not objects. During a burst, thousands of appends are queued, and are then kept for readers that are
 * seconds behind. The garbage collector would copy their objects repeatedly, but never copies a buffer.
 */
import type { Expected, JsonObject, StreamAppend } from '../../events/core/log.js';
import { elementsOf } from '../../sql/rows.js';

export interface SerializedAppend {
  readonly stream: string;
  readonly expected: Expected;
  /** Number of events; the following fields have one element per event. */
  readonly length: number;
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly metadata: readonly JsonObject[];
  /** UUIDs, separated by commas. */
  readonly ids: string;
  /** The JSON data of the events, as elements of a binary array. */
  readonly data: Buffer;
}

export const serializeAppend = ({ stream, expected, events }: StreamAppend): SerializedAppend => ({
  stream,
  expected,
  length: events.length,
  types: events.map(({ type }) => type),
  versions: events.map(({ version }) => version),
  metadata: events.map(({ metadata }) => metadata),
  ids: events.map(({ id }) => id).join(),
  data: elementsOf(events.map(({ json }) => json)),
});

/** The revision of the first event. */
export const firstRevision = ({ expected }: SerializedAppend): number => (expected === 'no-stream' ? 0 : expected + 1);
