/** Reads the events of carriers as scans: checks them, and translates their raw statuses. Pure. */
import { mapperOf, type MappingSettings, type Unmapped } from '../../api/areas/trackings/mapping.js';
import { SYNTHESIZED } from '../../api/areas/trackings/statuses.js';
import type { Pushed } from '../../commands/trackings/command.js';
import { pushedFrom } from '../../commands/trackings/pushed.js';
import type { CarrierTrackingEvent } from '../../engines/outside/carriers/port.js';
import { readEvent } from '../../events/otep/check/event.js';
import { LIMITS } from '../../events/otep/check/limits.js';
import { derivedId } from '../../events/otep/identity.js';
import { PROFILE } from '../../events/otep/model.js';
import { instantAt } from '../../events/otep/time.js';

/** The provider of a carrier account, and the tables that translate its raw statuses. */
export interface CarrierProvider extends MappingSettings {
  readonly id: string;
}

export interface CarrierScan {
  readonly pushed: Pushed;
  /** The raw status, if no table contains it. The scan is then kept until one does. */
  readonly unmapped: readonly Unmapped[];
  /** Members of the event that cannot be stored and are omitted. */
  readonly omitted: readonly ('description' | 'place')[];
}

/** `now`: milliseconds since 1970. Returns error codes for an event that cannot be stored. */
export function readCarrierEvent(
  event: CarrierTrackingEvent,
  provider: CarrierProvider,
  now: number,
): CarrierScan | { readonly codes: readonly string[] } {
  const { description: text, place } = event;
  const required = {
    // The id of the carrier need not be a UUID. The id of a current status is derived from the status.
    ...(!event.is_current_status && { event_id: derivedId('carrier event', provider.id, event.event_id) }),
    occurred_at: event.occurred_at,
    raw: { code: event.raw_status },
    source: { type: 'carrier', ...(event.is_current_status && { ref: SYNTHESIZED }) },
  };
  const description = text === undefined ? {} : { description: text.slice(0, LIMITS.text) };
  const location = place === undefined ? {} : { location: place };
  const attempts = [
    { value: { ...required, ...description, ...location }, omitted: [] },
    { value: { ...required, ...description }, omitted: ['place'] },
    { value: required, omitted: ['description', 'place'] },
  ] as const;
  let codes: readonly string[] = [];
  for (const { value, omitted } of attempts) {
    const unmapped: Unmapped[] = [];
    const mapRaw = mapperOf(provider, event.tracking_number, unmapped, { keeps: true });
    const read = readEvent(value, { path: '', now: instantAt(now), profile: PROFILE, mapRaw });
    codes = read.errors.map(({ code }) => code);
    if (!read.event) continue;
    const pushed = pushedFrom(read.event, { id: provider.id, kind: 'carrier' });
    return { pushed: event.is_current_status ? { ...pushed, rule: 'status_change' } : pushed, unmapped, omitted };
  }
  return { codes };
}
