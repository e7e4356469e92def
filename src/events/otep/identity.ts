/** Derives ids from content, so that a retry, a replay or another process gets the same ids. */
import { hash } from 'node:crypto';
import type { Instant } from './time.js';
import type { Journey, RetractedEvent, Timeline } from './model.js';

/** Must never change: every derived id of the service depends on it. */
export const NAMESPACE = 'b8f3c1de-6a52-5f0e-9d47-0c2a7e51f640';

const namespace = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex');
/**
 * A buffer with the namespace and the name, which all calls share because hashing is synchronous; and cached views of
 * its first bytes, by length.
 */
const input = Buffer.concat([namespace, Buffer.alloc(4_096)]);
const beginnings: Buffer[] = [];

/**
 * UUID (RFC 9562, version 5) of a list of parts. The separator cannot occur in a part, so different lists never give
 * the same name. Implemented here for speed, because ingest creates two of them for every scan.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const name = parts.join('\u0000');
  const digest = hash('sha1', bytesOf(name), 'hex');
  const variant = '89ab'[parseInt(digest[16]!, 16) & 3]!;
  // Joined, because V8 would store a template string as a tree of fourteen parts while the id is in use.
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    variant + digest.slice(17, 20),
    digest.slice(20, 32),
  ].join('-');
}

/** The bytes of the namespace and the name. */
function bytesOf(name: string): Buffer {
  if (namespace.length + name.length * 3 > input.length) return Buffer.concat([namespace, Buffer.from(name)]);
  const length = namespace.length + input.write(name, namespace.length);
  return (beginnings[length] ??= input.subarray(0, length));
}

/**
 * The event id of a scan without a producer's id. The raw code has priority over the status. A repeated push is then
 * still the same event, even if the provider's mapping table has changed. `reason`: the incident reason, only for a scan
 * that it separates from another one.
 */
export const derivedEventId = (provider: string, instant: Instant, rawOrStatus: string, reason?: string): string =>
  // The last part was a list of the members of the location: it stays, so that ids of scans without a location stay.
  derivedId('scan', provider, instant, rawOrStatus, JSON.stringify(reason === undefined ? [] : [reason]));

/** The journey of a document that was never stored. Its event UUIDs are derived from the subject and the event ids. */
export function journeyOf(timeline: Timeline, retracted: readonly RetractedEvent[] = []): Journey {
  const subject = JSON.stringify(Object.entries(timeline.subject).sort());
  return { timeline, retracted, revision: 0, uuidOf: (event) => derivedId('document', subject, event.event_id) };
}
