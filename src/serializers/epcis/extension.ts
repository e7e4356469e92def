/**
 * The OTEP extension of an EPCIS event. It contains the native event and subject, member by member, under one prefix.
 * Reading a document that this service wrote therefore restores the same timeline. Additional members of a native event
 * (`x-`) are written as one JSON literal, because JSON-LD would drop their unprefixed names.
 */
import { IDENTIFIERS, type Subject, type TimelineEvent } from '../../events/otep/model.js';
import { instantOf } from '../../events/otep/time.js';
import type { InputEvent } from './reading.js';
import { nativeTime } from './times.js';
import { isRecord, textOf, textsOf, type JsonRecord } from './records.js';
import { OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

const PARTS = {
  location: ['name', 'code', 'city', 'region', 'postal_code', 'country', 'latitude', 'longitude'],
  source: ['type', 'name', 'provider', 'ref', 'carrier', 'recorded_at'],
  incident_reason: ['code', 'text'],
  raw: ['code', 'text'],
  proof: ['kind', 'url'],
} as const;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** Names with the OTEP prefix. They are built once, because each EPCIS response writes them for every event. */
const PREFIXED: ReadonlyMap<string, string> = new Map(
  [...IDENTIFIERS, ...PART_NAMES, ...Object.values(PARTS).flat()].map((name) => [name, `${OTEP_PREFIX}:${name}`]),
);

const prefixed = (part: object, names: readonly string[]): JsonRecord => {
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const value = (part as JsonRecord)[name];
    if (value !== undefined) out[PREFIXED.get(name)!] = value;
  }
  return out;
};

/** Returns the extension members of the subject, which are the same for all events of a timeline. */
export const subjectExtension = (subject: Subject): JsonRecord => prefixed(subject, IDENTIFIERS);

export interface Carried {
  /** Result of `subjectExtension` for the timeline. */
  readonly subject: JsonRecord;
  /** The event's time in EPCIS format. The native time is written too only if its text differs. */
  readonly eventTime: string;
  /** Names of the members that come from a foreign event and are written in the EPCIS event itself. */
  readonly kept: readonly string[];
  /** `x-` members that cannot be written in the EPCIS event. */
  readonly extensions: JsonRecord;
}

/** Writes the extension members of one event into `out`. */
export function writeExtension(
  out: Record<string, unknown>,
  event: TimelineEvent,
  { subject, eventTime, kept, extensions }: Carried,
): void {
  out['otep:version'] = event.otep_version;
  out['otep:event_id'] = event.event_id;
  out['otep:subject'] = subject;
  if (event.occurred_at !== eventTime) out['otep:occurred_at'] = event.occurred_at;
  out['otep:status_code'] = event.status_code;
  if (event.recorded_at !== undefined && event.recorded_at !== out['recordTime'])
    out['otep:recorded_at'] = event.recorded_at;
  if (event.phase !== undefined) out['otep:phase'] = event.phase;
  if (event.anomaly !== undefined) out['otep:anomaly'] = event.anomaly;
  if (event.description !== undefined) out['otep:description'] = event.description;
  for (const name of PART_NAMES) {
    const part = event[name];
    if (part !== undefined) out[PREFIXED.get(name)!] = prefixed(part, PARTS[name]);
  }
  if (kept.length > 0) out['otep:kept'] = kept;
  if (Object.keys(extensions).length > 0) out['otep:extensions'] = { '@type': '@json', '@value': extensions };
}

export interface Restored {
  readonly subject: Subject;
  readonly event: InputEvent;
  readonly kept: readonly string[];
  /** When this service recorded the event. */
  readonly recordedAt?: string;
}

/**
 * Returns the native event and subject from the extension members, or null if these are missing or incomplete. `own`
 * contains the members of the OTEP namespace by their local names. The native time is used only if it is the same
 * instant as `occurredAt`, the EPCIS time. `recordTime` is that of the EPCIS event, if it has one.
 */
export function readExtension(
  own: JsonRecord | undefined,
  occurredAt: string,
  recordTime: string | undefined,
): Restored | null {
  if (own === undefined) return null;
  const { event_id, status_code, subject } = own;
  if (typeof event_id !== 'string' || typeof status_code !== 'string' || !isRecord(subject)) return null;
  const event: Record<string, unknown> = {
    event_id,
    occurred_at: ownTime(own['occurred_at'], occurredAt),
    status_code,
  };
  for (const [name, from] of [
    ['otep_version', 'version'],
    ['phase', 'phase'],
    ['description', 'description'],
    ['anomaly', 'anomaly'],
  ] as const) {
    if (typeof own[from] === 'string') event[name] = own[from];
  }
  for (const name of PART_NAMES) {
    const part = own[name];
    if (isRecord(part)) event[name] = picked(part, PARTS[name]);
  }
  const kept = textsOf(own['kept']);
  const recordedAt = recordedAtOf(own, kept.includes('recordTime') ? undefined : recordTime);
  return {
    subject: picked(subject, IDENTIFIERS),
    event: Object.assign(event, literal(own['extensions'])) as unknown as InputEvent,
    kept,
    ...(recordedAt !== undefined && { recordedAt }),
  };
}

const ownTime = (native: unknown, occurredAt: string): string =>
  typeof native === 'string' && instantOf(native) !== null && instantOf(native) === instantOf(occurredAt)
    ? native
    : occurredAt;

/** The time at which this service recorded the event. A kept `recordTime` belongs to a foreign event. */
function recordedAtOf({ recorded_at }: JsonRecord, recordTime: string | undefined): string | undefined {
  if (typeof recorded_at === 'string' && instantOf(recorded_at) !== null) return recorded_at;
  return recordTime === undefined ? undefined : (nativeTime(recordTime) ?? undefined);
}

/** Returns the local name of a full name in the OTEP namespace. */
export const ownName = (full: string): string | undefined =>
  full.startsWith(OTEP_NAMESPACE) ? full.slice(OTEP_NAMESPACE.length) : undefined;

const NUMBERS: ReadonlySet<string> = new Set(['latitude', 'longitude']);

/** Returns the members with a known name and a correct type. Any other member under the OTEP prefix is ignored. */
function picked(part: JsonRecord, names: readonly string[]): JsonRecord {
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const value = part[name];
    if (typeof value === (NUMBERS.has(name) ? 'number' : 'string')) out[name] = value;
  }
  return out;
}

function literal(value: unknown): JsonRecord {
  const members = isRecord(value) && textOf(value['@type']) === '@json' ? value['@value'] : undefined;
  return isRecord(members) ? Object.fromEntries(Object.entries(members).filter(([name]) => name.startsWith('x-'))) : {};
}
