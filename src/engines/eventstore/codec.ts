/** Between the port's events and EventStoreDB's records. */
import type { JsonObject, NewEvent, StoredEvent } from '../../events/core/log.js';
import { formatPosition, type LogPosition } from './position.js';

/** A record as the client library reads it. */
export interface EventRecord {
  readonly streamId: string;
  readonly id: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly isJson: boolean;
  readonly position?: LogPosition;
}

/** Where the schema's version stands in the record's metadata: EventStoreDB has no field for it. */
const VERSION = '$version';

export function encodeMetadata({ metadata, version }: NewEvent): JsonObject {
  if (Object.hasOwn(metadata, VERSION)) throw new RangeError(`The metadata key ${VERSION} is reserved.`);
  return { ...metadata, [VERSION]: version };
}

/**
 * An event that this service cannot have written; the database is its own, and what a stranger put there must not be
 * passed over in silence.
 */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  constructor(stream: string, id: string) {
    super(`Event ${id} in ${stream} was not written by this service.`);
  }
}

export function decodeEvent(record: EventRecord): StoredEvent {
  const { streamId, id, type, revision, data, position } = record;
  const { [VERSION]: version, ...metadata } = isObject(record.metadata) ? record.metadata : {};
  if (!record.isJson || !isObject(data) || typeof version !== 'number' || !position)
    throw new ForeignEvent(streamId, id);
  return {
    id,
    type,
    version,
    data,
    metadata,
    stream: streamId,
    revision: Number(revision),
    position: formatPosition(position),
  };
}

/**
 * What an append counts against the server's limit: bytes of data and metadata, and two for each character of the type
 * (`Event.SizeOnDisk` of the server).
 */
export function sizeOf(event: NewEvent): number {
  return bytes(event.json) + bytes(JSON.stringify(encodeMetadata(event))) + event.type.length * 2;
}

const bytes = (json: string): number => Buffer.byteLength(json, 'utf8');
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
