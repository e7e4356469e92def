/**
 * Our extension of an EPCIS event: the exact native event and subject, member by member under one prefix, so that
 * reading our own documents gives the same timeline back. Members of the native event that any producer may add (`x-`)
 * travel as one JSON literal, because JSON-LD would drop their unprefixed names.
 */
import { IDENTIFIERS, type Subject, type TimelineEvent } from '../../events/otep/model.js';
import { instantOf } from '../../events/otep/time.js';
import type { InputEvent } from './reading.js';
import { isRecord, textOf, textsOf, type JsonRecord } from './records.js';
import { OTEP_NAMESPACE, OTEP_PREFIX } from './vocabulary.js';

const PARTS = {
  location: ['name', 'code', 'city', 'region', 'postal_code', 'country', 'latitude', 'longitude'],
  source: ['type', 'name', 'provider', 'ref', 'recorded_at'],
  incident_reason: ['code', 'text'],
  raw: ['code', 'text'],
  proof: ['kind', 'url'],
} as const;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** Names with our prefix, made once: writing is the hot path of every read of a timeline. */
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

/** Our members for the subject: the same for all events of a timeline. */
export const subjectExtension = (subject: Subject): JsonRecord => prefixed(subject, IDENTIFIERS);

export interface Carried {
  /** `subjectExtension` of the timeline. */
  readonly subject: JsonRecord;
  /** The event's time as EPCIS has it; the native one is only repeated where its letters differ. */
  readonly eventTime: string;
  /** Names of the members that come from a foreign event and are in the EPCIS event itself. */
  readonly kept: readonly string[];
  /** `x-` members that have no place in the EPCIS event. */
  readonly extensions: JsonRecord;
}

/** Writes our members of one event into `out`. */
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
  if (event.phase !== undefined) out['otep:phase'] = event.phase;
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
}

/**
 * The native event and subject that our members carry, or null where they are not ours or not whole. `own` are the
 * members of our namespace by their local names. The native time only counts while it is the instant of `occurredAt`,
 * the EPCIS time.
 */
export function readExtension(own: JsonRecord | undefined, occurredAt: string): Restored | null {
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
  ] as const) {
    if (typeof own[from] === 'string') event[name] = own[from];
  }
  for (const name of PART_NAMES) {
    const part = own[name];
    if (isRecord(part)) event[name] = picked(part, PARTS[name]);
  }
  return {
    subject: picked(subject, IDENTIFIERS),
    event: Object.assign(event, literal(own['extensions'])) as unknown as InputEvent,
    kept: textsOf(own['kept']),
  };
}

const ownTime = (native: unknown, occurredAt: string): string =>
  typeof native === 'string' && instantOf(native) !== null && instantOf(native) === instantOf(occurredAt)
    ? native
    : occurredAt;

/** Local name of a full name of our namespace. */
export const ownName = (full: string): string | undefined =>
  full.startsWith(OTEP_NAMESPACE) ? full.slice(OTEP_NAMESPACE.length) : undefined;

const NUMBERS: ReadonlySet<string> = new Set(['latitude', 'longitude']);

/** Members whose name and kind are known; whatever else somebody wrote under our prefix is not ours. */
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
