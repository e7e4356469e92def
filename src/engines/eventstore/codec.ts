/** Converts between the events of the port and the records of EventStoreDB. */
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { JsonObject, EncodedEvent, StoredEvent } from '../../events/core/log.js';
import { LogEvent } from '../reading/log-event.js';
import { formatPosition } from './position.js';

export type EventRecord = ReadResp.ReadEvent.RecordedEvent;

/** Key of the schema version in the record's metadata: EventStoreDB has no field for it. */
const VERSION = '$version';

export function encodeMetadata({ metadata, version }: EncodedEvent): JsonObject {
  if (Object.hasOwn(metadata, VERSION)) throw new RangeError(`The metadata key ${VERSION} is reserved.`);
  return { ...metadata, [VERSION]: version };
}

/**
 * Thrown for an event that this service cannot have written. The database belongs to this service alone, so foreign
 * events must not be skipped silently.
 */
export class ForeignEvent extends Error {
  override readonly name = 'ForeignEvent';
  constructor(stream: string, id: string) {
    super(`Event ${id} in ${stream} was not written by this service.`);
  }
}

export const streamOf = (record: EventRecord): string =>
  textOf(record.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array());

/** Throws ForeignEvent. */
export function decodeEvent(record: EventRecord): StoredEvent {
  const [stream, id] = [streamOf(record), record.getId()?.getString() ?? ''];
  const names = record.getMetadataMap();
  const json = textOf(record.getData_asU8());
  const metadata = objectOf(textOf(record.getCustomMetadata_asU8()));
  const version = metadata?.[VERSION];
  if (names.get('content-type') !== 'application/json' || !json.startsWith('{') || typeof version !== 'number')
    throw new ForeignEvent(stream, id);
  delete (metadata as Record<string, unknown>)[VERSION];
  return new LogEvent(
    positionOf(record),
    stream,
    Number(record.getStreamRevision()),
    id,
    names.get('type') ?? '',
    version,
    json,
    metadata!,
  );
}

export const positionOf = (record: EventRecord): string =>
  formatPosition({ commit: record.getCommitPosition(), prepare: record.getPreparePosition() });

/**
 * The size that the server counts against its append limit: bytes of data and metadata, and two bytes for each
 * character of the type (`Event.SizeOnDisk` of the server).
 */
export function sizeOf(event: EncodedEvent): number {
  return bytes(event.json) + bytes(JSON.stringify(encodeMetadata(event))) + event.type.length * 2;
}

const bytes = (json: string): number => Buffer.byteLength(json, 'utf8');
const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

function objectOf(json: string): JsonObject | undefined {
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
