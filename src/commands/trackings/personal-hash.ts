/**
 * Keyed hashes of personal members. They show whether a repeated push contains the same personal data, without revealing
 * it: the key is that of the tracking, and is destroyed with it.
 */
import { createHmac } from 'node:crypto';
import { personalPart, type KeyRing } from '../../events/core/codec.js';
import type { EventType } from '../../events/core/event-types.js';
import type { JsonObject } from '../../events/core/log.js';
import { TrackingEventRecorded, type RecordedScan } from '../../events/trackings/events.js';
import { canonical } from '../../events/tree/canonical.js';
import type { Pushed } from './command.js';

/** The pushed events, with a hash for each scan that may amend a known one and has personal members. */
export async function withPersonalHash(
  tracking: string,
  pushed: readonly Pushed[],
  keysOf: KeyRing['keysFor'],
): Promise<readonly Pushed[]> {
  const parts = pushed.map(({ scan, amends }) => (amends && scan ? partOf(scan) : undefined));
  if (!parts.some((part) => part !== undefined)) return pushed;
  const key = (await keysOf([tracking])).get(tracking);
  if (!key) return pushed;
  return pushed.map((one, index) => {
    const part = parts[index];
    if (part === undefined) return one;
    const personal_hash = createHmac('sha256', key).update(canonical(part)).digest('base64url').slice(0, 22);
    return { ...one, scan: { ...one.scan!, personal_hash } };
  });
}

const partOf = (scan: RecordedScan): JsonObject | undefined =>
  personalPart(TrackingEventRecorded as unknown as EventType, scan as unknown as JsonObject);
