/** Ids that follow from what they name, so that a retry, a replay or another process finds the same ones. */
import { v5 } from 'uuid';
import type { Instant } from './time.js';
import type { Journey, Location, RetractedEvent, Timeline } from './model.js';

/** Fixed for ever: every derived id of the service hangs on it. */
export const NAMESPACE = 'b8f3c1de-6a52-5f0e-9d47-0c2a7e51f640';

/** UUID (v5) of a list of parts; the separator cannot stand in a part, so lists never run into each other. */
export const derivedId = (...parts: readonly (string | number)[]): string => v5(parts.join('\u0000'), NAMESPACE);

/**
 * The event id of a scan that its producer gave none. The raw code comes before the status, so that a push repeated after
 * the provider's mapping table changed is still the same event.
 */
export function derivedEventId(provider: string, instant: Instant, rawOrStatus: string, location: Location | undefined): string {
  const place = location ? [location.code, location.name, location.city, location.region, location.postal_code, location.country, location.latitude, location.longitude] : [];
  return derivedId('scan', provider, instant, rawOrStatus, JSON.stringify(place));
}

/** A journey of a document that was never stored: its event UUIDs hang on the subject and the event ids. */
export function journeyOf(timeline: Timeline, retracted: readonly RetractedEvent[] = []): Journey {
  const subject = JSON.stringify(Object.entries(timeline.subject).sort());
  return { timeline, retracted, revision: 0, uuidOf: (event) => derivedId('document', subject, event.event_id) };
}
