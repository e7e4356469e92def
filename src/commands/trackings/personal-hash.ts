/**
 * Keyed hashes of personal members. They show whether a repeated push contains the same personal data, without revealing
 * it: the key is that of the tracking, and is destroyed with it.
 */
import { hash } from 'node:crypto';
import { personalPart, type KeyRing } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import type { JsonObject } from '../../events/core/log.js';
import { TrackingEventRecorded, type RecordedScan } from '../../events/trackings/events.js';
import { canonical } from '../../events/tree/canonical.js';
import type { Pushed } from './command.js';

/**
 * Sets a hash on each scan that may amend a known one and has personal members. Such scans belong to one push of one
 * parcel, so they are changed in place: V8 handles copies with an added member several times slower from then on.
 */
export async function addPersonalHashes(
  tracking: string,
  pushed: readonly Pushed[],
  keysOf: KeyRing['keysFor'],
): Promise<void> {
  const parts = pushed.map(({ scan, amends }) => (amends && scan ? partOf(scan) : undefined));
  if (!parts.some((part) => part !== undefined)) return;
  const key = (await keysOf([tracking])).get(tracking);
  parts.forEach((part, index) => {
    if (part === undefined) return;
    const { scan } = pushed[index]!;
    // Without a key the tracking is erased, and an earlier target of the push may have left its hash.
    if (key) scan!.personal_hash = keyedHash(key, canonical(part));
    else delete scan!.personal_hash;
  });
}

/**
 * 132 bits of SHA-256 over the key and the text. An HMAC takes three times as long, which counts because ingest computes
 * one for each scan. It would add nothing here: the rest of the digest is not stored, so no client can extend the text.
 */
const keyedHash = (key: Buffer, text: string): string =>
  hash('sha256', Buffer.concat([key, Buffer.from(text)]), 'base64url').slice(0, 22);

const partOf = (scan: RecordedScan): JsonObject | undefined =>
  personalPart(TrackingEventRecorded as unknown as EventType, scan as unknown as JsonObject);
