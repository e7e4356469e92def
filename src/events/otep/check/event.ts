/** One event: every row of the protocol's table "Event". Hand-written, since ingest runs it on every pushed event. */
import { PHASES, type Phase } from '../codes.js';
import { ANOMALIES, OTEP_VERSION, type Anomaly, type Subject, type TimelineEvent } from '../model.js';
import { instantAt, millisOf, type Instant } from '../time.js';
import type { Scan } from '../timeline.js';
import { noFindings, report, type Finding, type Findings } from './findings.js';
import { has, isObject, readMembers, requireMember, type Readers } from './members.js';
import { readExtensions, type KeptExtensions } from './extensions.js';
import { incident, location, proof, raw, source } from './parts.js';
import { readStatus, type GivenStatus, type MapRaw, type ReadStatus } from './status.js';
import { checkSameSubject } from './subject.js';
import { eventId, moment, oneOf, text, time, word, type Moment } from './values.js';
import { version } from './version.js';
import { LIMITS } from './limits.js';

type Kept = Pick<TimelineEvent, 'location' | 'source' | 'incident_reason' | 'description' | 'raw' | 'proof'>;

/**
 * A checked event as a producer sent it: plain data, nothing of it shared with the input but the values of extensions.
 */
export interface InputEvent extends Kept {
  /** UUIDs in lower case. */
  readonly eventId?: string;
  readonly retracts?: string;
  /** RFC 3339, to the letter. */
  readonly occurredAt: string;
  readonly instant: Instant;
  /** Bare code; absent only for a pure retraction. */
  readonly statusCode?: string;
  /** Only of an experimental code that was given one. */
  readonly phase?: Phase;
  /** The mapping table gave the status: derive the event's id from the raw status, which outlives the table. */
  readonly statusFromRaw: boolean;
  /**
   * The event's own `recorded_at`: of a pushed event it belongs into `source.recorded_at`, of our own output it is
   * ours.
   */
  readonly recordedAt?: string;
  /** What a document says the event is; ingest derives it anew. */
  readonly anomaly?: Anomaly;
  readonly extensions: KeptExtensions;
}

export interface EventReading {
  /** Present exactly when `errors` is empty. */
  readonly event?: InputEvent | undefined;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface ReadEventOptions {
  /** JSON Pointer of the value. */
  readonly path: string;
  readonly now: Instant;
  readonly profile: string;
  /**
   * The timeline's subject, which an event's own must agree with; absent for an event sent alone (its subject:
   * `readSubject`).
   */
  readonly subject?: Subject | undefined;
  readonly mapRaw?: MapRaw | undefined;
}

interface Members extends Kept, GivenStatus {
  readonly otep_version?: string;
  readonly event_id?: string;
  readonly retracts?: string;
  readonly subject?: unknown;
  readonly occurred_at?: Moment;
  readonly recorded_at?: string;
  readonly anomaly?: Anomaly;
}

const EVENT: Readers<Members> = {
  otep_version: version,
  event_id: eventId,
  retracts: eventId,
  subject: (value) => value,
  occurred_at: moment,
  recorded_at: time,
  status_code: word,
  status_id: word,
  phase: oneOf(PHASES),
  phase_id: word,
  location,
  source,
  incident_reason: incident,
  description: text(LIMITS.text),
  raw,
  proof,
  anomaly: oneOf(ANOMALIES),
};

/** Statuses at which somebody hands the parcel over. */
const PROVEN = ['picked_up', 'delivered'];

/** Checks one event of a push or document. Never throws on a JSON value. */
export function readEvent(value: unknown, options: ReadEventOptions): EventReading {
  const out = noFindings();
  if (!isObject(value)) {
    report(out, 'INVALID_TYPE', options.path, { expected: 'object' });
    return out;
  }
  const members = readMembers(value, EVENT, options.path, out);
  const extensions = readExtensions(value, EVENT, options.path, out);
  const { path } = options;
  requireMember(value, 'occurred_at', path, out);
  const pure = has(value, 'retracts') && !has(value, 'status_code') && !has(value, 'raw');
  if (!has(value, 'status_code') && !has(value, 'raw') && (!pure || saysMoreThanRetraction(members)))
    report(out, 'REQUIRED', `${path}/status_code`);
  const status =
    out.errors.length === 0 && !pure ? readStatus(members, options.profile, options.mapRaw, path, out) : undefined;
  if (out.errors.length === 0) relate(members, status, options, out);
  return {
    event: out.errors.length > 0 ? undefined : inputEvent(members, status, extensions),
    errors: out.errors,
    warnings: out.warnings,
  };
}

const saysMoreThanRetraction = ({ status_id, phase, phase_id }: Members): boolean =>
  status_id !== undefined || phase !== undefined || phase_id !== undefined;

/** The rules between the fields of an event that is sound in each of them. */
function relate(
  members: Members,
  status: ReadStatus | undefined,
  { path, now, subject }: ReadEventOptions,
  out: Findings,
): void {
  const { instant } = members.occurred_at!;
  if (instant > now) {
    const limit = instantAt(millisOf(now) + LIMITS.hoursAhead * 3_600_000);
    if (instant > limit) report(out, 'TOO_FAR_AHEAD', `${path}/occurred_at`, { hours: LIMITS.hoursAhead });
    else report(out, 'IN_THE_FUTURE', `${path}/occurred_at`);
  }
  if (members.proof && !PROVEN.includes(status?.code ?? ''))
    report(out, 'PROOF_NOT_ALLOWED', `${path}/proof`, { allowed: PROVEN.join(', ') });
  if (status && members.retracts !== undefined && members.retracts === members.event_id)
    report(out, 'RETRACTS_ITSELF', `${path}/retracts`);
  if (status && members.source?.type === undefined) report(out, 'SOURCE_MISSING', `${path}/source`);
  if (members.subject !== undefined && subject) checkSameSubject(members.subject, subject, `${path}/subject`, out);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function inputEvent(members: Members, status: ReadStatus | undefined, extensions: KeptExtensions): InputEvent {
  const {
    event_id,
    occurred_at,
    recorded_at,
    retracts,
    location,
    source,
    incident_reason,
    description,
    raw,
    proof,
    anomaly,
  } = members;
  const event: Writable<InputEvent> = {
    occurredAt: occurred_at!.text,
    instant: occurred_at!.instant,
    statusFromRaw: status?.fromRaw ?? false,
    extensions,
  };
  // One by one: a literal of conditional spreads takes several times as long, for every event that is pushed.
  if (event_id !== undefined) event.eventId = event_id;
  if (retracts !== undefined) event.retracts = retracts;
  if (status) event.statusCode = status.code;
  if (status?.phase) event.phase = status.phase;
  if (location) event.location = location;
  if (source) event.source = source;
  if (incident_reason) event.incident_reason = incident_reason;
  if (description !== undefined) event.description = description;
  if (raw) event.raw = raw;
  if (proof) event.proof = proof;
  if (recorded_at !== undefined) event.recordedAt = recorded_at;
  if (anomaly !== undefined) event.anomaly = anomaly;
  return event;
}

/** The scan of an event with a status, as the timeline takes it. */
export function scanOf(
  event: InputEvent & { readonly statusCode: string },
  { eventId, recordedAt }: { readonly eventId: string; readonly recordedAt?: string },
): Scan {
  const { location, source, incident_reason, description, raw, proof } = event;
  return {
    instant: event.instant,
    event: {
      otep_version: OTEP_VERSION,
      event_id: eventId,
      occurred_at: event.occurredAt,
      ...(recordedAt !== undefined && { recorded_at: recordedAt }),
      status_code: event.statusCode,
      ...(event.phase && { phase: event.phase }),
      ...(location && { location }),
      ...(source && { source }),
      ...(incident_reason && { incident_reason }),
      ...(description !== undefined && { description }),
      ...(raw && { raw }),
      ...(proof && { proof }),
      ...event.extensions,
    },
  };
}
