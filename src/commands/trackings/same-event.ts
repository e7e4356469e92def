/** Whether a pushed event is one that the tracking already knows under the same id, or by the same content. Pure. */
import type { RecordedScan, Retraction } from '../../events/trackings/events.js';
import { codeKey, hasDerivedId } from '../../events/trackings/identity.js';
import type { Pushed } from './command.js';
import type { Known } from './state.js';

type Hashes = NonNullable<Pushed['hashes']>;

const HASH = 'ni:///';

/**
 * The hash of a known scan, and the hashes that an equal event may have. Undefined if the scan does not come from a
 * foreign event.
 */
export function hashOf(
  { hash, formerHash, scan }: Known,
  { given, earlier, former }: Hashes,
): readonly [string, readonly string[]] | undefined {
  if (hash !== undefined) return [hash, [given, earlier]];
  if (formerHash !== undefined) return [formerHash, [former]];
  return scan?.eventId.startsWith(HASH) ? [scan.eventId, [former]] : undefined;
}

/** Whether a known scan has the same content as an event, as far as they can be compared. */
export function hasContent(known: Known, hashes: Hashes): boolean {
  const [before, now] = hashOf(known, hashes) ?? [];
  return before === undefined || now!.includes(before);
}

/** The ids that an event with the same content may have, if `eventId` is a hash of that content. */
export function namesByContent(eventId: string, hashes: Pushed['hashes']): readonly string[] {
  if (!hashes || !eventId.startsWith(HASH)) return [];
  const names = [hashes.given, hashes.earlier, hashes.former, ...hashes.foreign];
  return names.includes(eventId) ? names : [];
}

/**
 * Whether a known event and a pushed one with the same id are the same event:
 *
 * - Another report of a scan has the same time and the same status. Its other members may differ. So may the status of
 *   a mapped raw code, because the provider's table may have changed.
 * - Other events have the same content. Without a fingerprint and a hash, the id is derived from the content and
 *   suffices. Error declarations count by the event that they retract; other repeated members are ignored.
 */
export function isSameEvent(
  before: Known,
  provider: string,
  data: RecordedScan | Retraction,
  { hashes, amends, isMapped = false }: Pushed,
): boolean {
  if (before.provider !== provider) return false;
  if (amends && before.scan && 'instant' in data)
    return (
      before.scan.instant === data.instant &&
      (before.scan.status === data.status_code ||
        hasDerivedId(data) ||
        (isMapped && codeKey(data.raw?.code) === codeKey(before.rawCode)))
    );
  return (
    (before.fingerprint === undefined || data.fingerprint === undefined || before.fingerprint === data.fingerprint) &&
    (hashes === undefined || before.scan === undefined || hasContent(before, hashes))
  );
}

/**
 * Whether an EPCIS error declaration repeats the event that it retracts, as EPCIS requires. A declaration that names the
 * event by the id of this service's output has another content: such an event is about one parcel.
 */
export const isOtherwiseIdentical = ({ retraction, hashes }: Pushed, target: Known): boolean =>
  hashes === undefined || retraction!.event_id !== retraction!.retracts || hasContent(target, hashes);
