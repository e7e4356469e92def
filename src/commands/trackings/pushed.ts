/**
 * Converts a well-formed pushed event to the events to record. Possibly personal data goes to members that will be
 * encrypted.
 */
import { hash } from 'node:crypto';
import { canonical } from '../../events/tree/canonical.js';
import type { InputEvent } from '../../events/otep/check/event.js';
import { derivedEventId, derivedId } from '../../events/otep/identity.js';
import { OTEP_VERSION, type Location, type Source, type SourceType } from '../../events/otep/model.js';
import type { RecordedScan } from '../../events/trackings/events.js';
import { codeKey } from '../../events/trackings/identity.js';
import type { Pushed } from './command.js';

/** Sources that are persons. Their names, and the names that they give to locations, are personal data. */
const PEOPLE: ReadonlySet<string> = new Set<SourceType>(['driver', 'self_delivery']);

export interface PushedOptions {
  /** True: a repeated id is compared by content. False: the id alone identifies the event. */
  readonly compared?: boolean;
  /** Another report of a known scan is merged with it. Default: as `compared`. */
  readonly amends?: boolean;
}

/** `pusher.kind` is the default if the event names no source type. */
export function pushedFrom(
  event: InputEvent,
  pusher: { readonly id: string; readonly kind: SourceType },
  { compared = true, amends = compared }: PushedOptions = {},
): Pushed {
  const fingerprint = event.eventId === undefined || !compared ? undefined : fingerprintOf(event, pusher.kind);
  const retraction =
    event.retracts === undefined
      ? undefined
      : {
          event_id: event.eventId ?? derivedId('retraction', pusher.id, event.retracts),
          provider: pusher.id,
          retracts: event.retracts,
          occurred_at: event.occurredAt,
          // If the event has a status, its extensions belong to the scan.
          ...(event.statusCode === undefined &&
            Object.keys(event.extensions).length > 0 && { extensions: event.extensions }),
          ...(fingerprint !== undefined && { fingerprint }),
        };
  if (event.statusCode === undefined) return { ...(retraction && { retraction }) };
  return {
    scan: scanFrom(event, event.statusCode, pusher, fingerprint),
    ...(retraction && { retraction }),
    ...(amends && { amends }),
    ...(event.statusFromRaw && { isMapped: true }),
    ...(event.unretracts !== undefined && { unretracts: event.unretracts }),
  };
}

function scanFrom(
  event: InputEvent,
  statusCode: string,
  pusher: { readonly id: string; readonly kind: SourceType },
  fingerprint: string | undefined,
): RecordedScan {
  const source = sourceFrom(event, pusher.kind);
  const byPerson = source.type !== undefined && PEOPLE.has(source.type);
  const { phase, location, incident_reason, raw, description, proof, extensions } = event;
  const scan: RecordedScan = {
    event_id: event.eventId ?? derivedEventId(pusher.id, event.instant, codeKey(raw?.code) ?? statusCode),
    provider: pusher.id,
    otep_version: OTEP_VERSION,
    occurred_at: event.occurredAt,
    instant: event.instant,
    status_code: statusCode,
  };
  // Members are set one by one, for the same performance reason as in src/events/otep/check/event.ts.
  if (phase !== undefined) scan.phase = phase;
  if (location && hasMembers(location)) scan.location = placeFrom(location, byPerson);
  scan.source = named(source, byPerson);
  if (incident_reason) scan.incident_reason = incident_reason;
  if (raw && hasMembers(raw)) scan.raw = raw;
  if (description !== undefined) scan.description = description;
  if (proof) scan.proof = proof;
  if (Object.keys(extensions).length > 0) scan.extensions = extensions;
  if (fingerprint !== undefined) scan.fingerprint = fingerprint;
  return scan;
}

/** Empty objects say nothing, so they are not recorded. */
const hasMembers = (part: object): boolean => Object.keys(part).length > 0;

/** Sets a missing type to the provider's kind, and moves the producer's record time into the source. */
function sourceFrom({ source = {}, recordedAt }: InputEvent, kind: SourceType): Source {
  if (source.type !== undefined && recordedAt === undefined) return source;
  return {
    type: source.type ?? kind,
    ...source,
    ...(recordedAt !== undefined && source.recorded_at === undefined && { recorded_at: recordedAt }),
  };
}

function named(source: Source, isPerson: boolean): NonNullable<RecordedScan['source']> {
  if (source.name === undefined || isPerson) return source;
  const { name, ...rest } = source;
  return { public_name: name, ...rest };
}

/** Rounds to two decimals, about one kilometre. This precision is public. */
const coarse = (degrees: number): number => Math.round(degrees * 100) / 100;

function placeFrom(
  { name, code, city, region, postal_code, country, latitude, longitude }: Location,
  byPerson: boolean,
): NonNullable<RecordedScan['location']> {
  const place: NonNullable<RecordedScan['location']> = {};
  const isLocated = latitude !== undefined && longitude !== undefined;
  if (isLocated && (coarse(latitude) !== latitude || coarse(longitude) !== longitude))
    place.exact = { latitude, longitude };
  if (name !== undefined) place[byPerson ? 'name' : 'public_name'] = name;
  if (code !== undefined) place.code = code;
  if (city !== undefined) place.city = city;
  if (region !== undefined) place.region = region;
  if (postal_code !== undefined) place.postal_code = postal_code;
  if (country !== undefined) place.country = country;
  if (isLocated) {
    place.latitude = coarse(latitude);
    place.longitude = coarse(longitude);
  }
  return place;
}

/**
 * Hash of everything that the producer reported, with these exceptions:
 *
 * - The producer's record time is excluded, because it may differ between pushes.
 * - A source type that equals the default is excluded. So an event from our own output stays the same event when it is
 *   pushed back.
 *
 * A checked event has a fixed order of members; only its extensions keep the order of the producer.
 */
function fingerprintOf(
  {
    occurredAt: _letter,
    recordedAt: _own,
    anomaly: _derived,
    unretracts: _undone,
    reasonFromRaw,
    source,
    extensions,
    ...said
  }: InputEvent,
  kind: SourceType,
): string {
  const { recorded_at: _recorded, type, ...origin } = source ?? {};
  const more = Object.keys(extensions).length > 0 ? canonical(extensions) : undefined;
  const content = JSON.stringify({
    ...said,
    ...(said.statusFromRaw && { statusCode: undefined, phase: undefined }),
    ...(reasonFromRaw && { incident_reason: undefined }),
    source: { ...origin, ...(type !== kind && { type }) },
    extensions: more,
  });
  return hash('sha256', content, 'base64url').slice(0, 22);
}
