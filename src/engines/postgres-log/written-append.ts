/**
 * An append in the queue, and as the readers of this process find it afterwards: serialized, so that its
 * events are no objects any more. In a burst thousands of them wait, and are kept for readers that come seconds later;
 * the garbage collector copies every object of them again and again, and a buffer never.
 */
import type { Expected, JsonObject, StreamAppend } from '../../events/core/log.js';
import { elementsOf } from '../../sql/rows.js';

export interface WrittenAppend {
  readonly stream: string;
  readonly expected: Expected;
  /** Number of events, and by event: */
  readonly length: number;
  readonly types: readonly string[];
  readonly versions: readonly number[];
  readonly metadata: readonly JsonObject[];
  /** UUIDs with a comma between them. */
  readonly ids: string;
  /** The JSON of their data, as elements of a binary array. */
  readonly data: Buffer;
}

export const writeDown = ({ stream, expected, events }: StreamAppend): WrittenAppend => ({
  stream,
  expected,
  length: events.length,
  types: events.map(({ type }) => type),
  versions: events.map(({ version }) => version),
  metadata: events.map(({ metadata }) => metadata),
  ids: events.map(({ id }) => id).join(),
  data: elementsOf(events.map(({ json }) => json)),
});

/** The revision of its first event. */
export const firstRevision = ({ expected }: WrittenAppend): number => (expected === 'no-stream' ? 0 : expected + 1);
